"""PostgreSQL: schema, documents, jobs, postings, decision cache."""
