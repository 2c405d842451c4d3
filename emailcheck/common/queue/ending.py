"""Whether this process was told to end: long work ends early then, and leaves what is undone to others."""


class _Process:
    is_ending = False


def note_end() -> None:
    """This process was told to end."""
    _Process.is_ending = True


def is_ending() -> bool:
    """Whether this process was told to end."""
    return _Process.is_ending
