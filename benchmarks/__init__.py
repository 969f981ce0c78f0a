"""Scripts that print figures: `python -m benchmarks.NAME`, or all of them by `make bench`.

What belongs here measures the real code on real or generated data. Nothing here is imported by the service.
"""
