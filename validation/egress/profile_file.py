"""The file of operators' limits (`EGRESS_PROFILES`) while the product runs.

Each process reloads it after a change, within `POLL_EVERY_S`. An invalid change leaves the limits as they were until
the file is valid again; `problem()` states the error.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from validation.engine.profiles import ProfileError, Profiles

POLL_EVERY_S = 15.0


class ProfileFile:
    """A file of profiles that may change at any time. Thread-safe."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises `ProfileError` where the file cannot be used."""
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._content = _read_content(path)
        self._profiles = Profiles.read(path)
        self._problem = ""
        self._looked_at = clock()

    def current(self) -> Profiles:
        """The present profiles: the same object until they change."""
        self._look()
        return self._profiles

    def problem(self) -> str:
        """The error in the file, with its line; "" for none."""
        self._look()
        return self._problem

    def _look(self) -> None:
        with self._lock:
            if self._clock() < self._looked_at + POLL_EVERY_S:
                return
            self._looked_at = self._clock()
            content = _read_content(self._path)
            if content is not None and content == self._content:
                return
            self._read_again(content)

    def _read_again(self, content: bytes | None) -> None:
        """Reload the file. Its stamp is read first, so that a change in between is found the next time."""
        self._content = content
        try:
            self._profiles = Profiles.read(self._path)
        except ProfileError as error:
            self._problem = str(error)
        else:
            self._problem = ""


def _read_content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


_lock = threading.Lock()
_files: dict[Path, ProfileFile] = {}


def current_profiles() -> Profiles:
    """The operators' present limits."""
    return _current_file().current()


def profile_problem() -> str:
    """The error in the file of limits; "" for none."""
    return _current_file().problem()


def _current_file() -> ProfileFile:
    path = settings.EGRESS_PROFILES
    with _lock:
        if path not in _files:
            _files[path] = ProfileFile(path)
        return _files[path]
