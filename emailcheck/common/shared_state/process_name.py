"""What this process is called among those of its machine, such as `web-0`: whoever replaces it has the same name."""

import os
from itertools import count
from pathlib import Path

from emailcheck.common.shared_state import files


class _Process:
    name = "process"


def set_process_name(name: str) -> None:
    """Name this process, after a fork and before it counts anything. Two of one name at a time do no harm."""
    _Process.name = name


def claim_process_name(directory: Path) -> tuple[str, int]:
    """A name in a directory that is ours as long as the file is open, which is locked: what it was set to, or near it.

    It may have been that of a process that is gone.
    """
    for number in count(1):
        name = _Process.name if number == 1 else f"{_Process.name}-{number}"
        file = files.open_file(directory / f"{name}.lock")
        if files.try_lock(file):
            return name, file
        os.close(file)
    raise AssertionError


def is_process_alive(directory: Path, name: str) -> bool:
    """Whether the process that claimed a name lives."""
    return files.is_locked(directory / f"{name}.lock")
