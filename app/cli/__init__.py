"""The command line: `context-atlas api | worker | migrate | serve | demo | config`.

Every command imports what it runs when it runs, so that `--help` answers at once. What goes wrong is one sentence on
standard error and exit code 1.
"""

from app.cli.commands import main

__all__ = ["main"]
