"""Bytes to blocks: one file per format family, the registry that chooses, and the decoding they share (readers design).

What belongs here is plain, synchronous and pure: no network, no second file, no clock.
"""
