"""The nouns: blocks, chunks, units, documents, jobs, hits, decisions. Frozen values with no behaviour beyond their own.

What belongs here is a value that two or more packages speak of. No input or output, no framework, no logic that
combines them.
"""
