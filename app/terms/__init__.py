"""Terms, their folding, postings and the BM25 formula (documents design, "Terms" and "Search").

What belongs here is pure; where postings are kept is an adapter's matter.
"""
