"""White space (readers design, section 5)."""


def squash(text: str) -> str:
    """Trim, and turn each run of Unicode white space (no-break space included) into one space."""
    return " ".join(text.split())
