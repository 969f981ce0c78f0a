"""From a question and its candidates to the context that answers it (retrieval design).

What belongs here is pure: fusing, rescoring at two grains, choosing, packing, and the questions that judge.
"""
