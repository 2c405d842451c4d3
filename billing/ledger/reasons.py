"""What movements of credits are for, in the words of the statement."""

_LIST = "Batch: "


def name_list(filename: str) -> str:
    """The reason of what a list uses."""
    return f"{_LIST}{filename[:80] or 'pasted list'}"


def hide_list_name(reason: str) -> str:
    """The reason for who sees no lists: file names may hold what only those read who see the list."""
    return f"{_LIST}a list" if reason.startswith(_LIST) else reason
