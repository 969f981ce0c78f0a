"""What several features count and cut text with: tokens, sentences, whitespace.

What belongs here knows nothing of blocks, units or terms.
"""
