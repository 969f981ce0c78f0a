"""References inside a document: which passage needs which (retrieval design, "Links of prose").

What belongs here is pure: the pairs worth asking about, and the links that the answers make.
"""
