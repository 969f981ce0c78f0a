"""`python -m workers` runs a worker."""

from workers.main import run

run()
