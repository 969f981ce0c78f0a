"""Data files: text to an outline of keys with line spans, the outline to subtrees and the links between them.

Pure functions of the text; nothing is fetched or opened. Readers decode the bytes and call this package.
"""
