"""What the embedded stack raises. Each message is a sentence for the terminal."""


class StackError(Exception):
    """The embedded stack can't start, or can't go on."""


class DirectoryInUse(StackError):
    """Another process runs on the data directory."""


class StopRequested(Exception):
    """A signal asked the stack to stop."""
