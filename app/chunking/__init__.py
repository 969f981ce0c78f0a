"""Blocks to chunks: sections, seams, topic cuts, packing, overlap (chunking design).

What belongs here is pure: no asking, only the questions to ask and what to do with their answers.
"""
