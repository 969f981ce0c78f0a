"""How long a large Markdown file takes to ingest: `python -m benchmarks.ingest [--mb 1.0]`.

It is a package so that the reader's process, which starts by importing what its parent runs, does not import all of it:
that is how it is in a worker, and its memory is one of the figures.
"""
