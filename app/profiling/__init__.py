"""Finding out what kind of text each section is (retrieval design, "Profiles").

What belongs here is pure: how a document splits into sections, what to ask about them, what the answers make of it.
"""
