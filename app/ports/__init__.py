"""Protocols only: what the domain needs from the outside world. Values in and out come from `app.documents`.

One call is one transaction. Adapters satisfy these structurally; fakes in `tests/fakes` are held to the same suites.
"""
