"""Conversations: turns, their parts, and how these are linked (conversations design, sections b to d).

Pure functions of blocks and of answers. What is asked is data; asking it is up to the operations.
"""
