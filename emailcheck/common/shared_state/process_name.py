"""What this process is called among those of its machine, such as `web-0`: whoever replaces it has the same name."""


class _Process:
    name = "process"


def set_process_name(name: str) -> None:
    """Name this process, after a fork and before it counts anything. Two of one name at a time do no harm."""
    _Process.name = name


def process_name() -> str:
    """The name of this process."""
    return _Process.name
