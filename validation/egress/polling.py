"""What each process reads again while it runs: the file of operators' limits, and the states of our egress addresses.

The file (`EGRESS_PROFILES`) is reloaded after a change, within `POLL_EVERY_S`. An invalid change leaves the limits as
they were until the file is valid again; `problem()` states the error. The states are read from the database at most
every `READ_EVERY_S`.
"""

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from django.conf import settings

from validation.egress.addresses import read_states, sync_egress
from validation.engine.egress.addresses import EgressState
from validation.engine.profiles import ProfileError, Profiles

POLL_EVERY_S = 15.0
READ_EVERY_S = 10.0


class Refreshable(Protocol):
    """A organisation of egress addresses and profiles that is told of changes while it runs."""

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        """Set the states of the egress addresses, by key."""

    def set_profiles(self, profiles: Profiles) -> None:
        """Set the operators' limits."""


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


class EgressReader:
    """Reads states at most every ten seconds. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._read_at = -READ_EVERY_S
        self._synced_routes: tuple[str, ...] = ()
        self._states: dict[str, EgressState] = {}

    def states(self) -> dict[str, EgressState]:
        """The states, at most some seconds old. The first call creates missing rows."""
        with self._lock:
            if self._synced_routes != settings.VERIFIER_ROUTES:
                sync_egress()
                self._synced_routes = settings.VERIFIER_ROUTES
            elif self._clock() < self._read_at + READ_EVERY_S:
                return self._states
            self._read_at = self._clock()
            self._states = read_states()
            return self._states


_reader = EgressReader()


def current_states() -> dict[str, EgressState]:
    """The state of each egress address, by its key, as this process last read it."""
    return _reader.states()


def refresh_egress(engine: Refreshable) -> None:
    """Pass on the present states and profiles. Cheap enough for every turn of a loop."""
    engine.set_profiles(current_profiles())
    engine.set_egress(current_states())
