"""`python -m app.cli`, as the embedded stack starts its processes."""

from app.cli.commands import main

main()
