"""The decision model that ships with the product: one evaluator per question, from lexical and embedding evidence."""
