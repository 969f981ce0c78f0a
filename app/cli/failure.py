"""What a command raises to end with one sentence and exit code 1."""


class CommandFailed(Exception):
    """The command can't do what was asked; the message says why and what to do."""
