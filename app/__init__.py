"""Context Atlas: the service's own code, shared by the HTTP front end and the workers.

What belongs here is everything that either entry point runs. Nothing here may import `workers`.
The order of the packages, and which may import which, is stated in `pyproject.toml` under `importlinter`.
"""
