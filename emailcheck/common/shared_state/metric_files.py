"""Metrics over the processes of this machine: prometheus-client's multiprocess mode, in files that do not pile up.

A process counts in mapped files of its own, which takes no system call. They carry its name, and whoever replaces it
goes on in them: what a killed process has counted stays. A name is locked as long as its process lives, so that no two
write the same files.
"""

import json
import os
import struct
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from prometheus_client import Metric, values
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from emailcheck.common.shared_state import files
from emailcheck.common.shared_state.process_name import claim_process_name, is_process_alive

_SUMMED, _LIVING = ("counter", "histogram"), "gauge_livesum"
_OCTETS = 1 << 16
"""Of a file; metrics beyond would make it grow by a hole, which could not be filled on a full disk."""
_HANDED_OVER, _LOCK = ".handed-over", "lock"
_HAND_OVER_WAIT_S = 5.0
_TORN = (RuntimeError, ValueError, struct.error)
"""What reading a torn file raises."""
_Metrics = TypeVar("_Metrics")
_Values = Mapping[str, float]


class Sums:
    """Samples of all processes, added up."""

    def __init__(self, found: _Values) -> None:
        self._samples: dict[tuple[str, frozenset[tuple[str, str]]], float] = defaultdict(float)
        for key, value in found.items():
            self._samples[_parse_key(key)] += value

    def read_sample(self, name: str, **labels: str) -> float:
        """The value of a sample, by the name that Prometheus shows; histograms have the count of each bucket."""
        return self._samples.get((name, frozenset(labels.items())), 0.0)


class ProcessMetrics(Generic[_Metrics]):
    """The metrics of this process; `build` makes them with all their labels, and registers them nowhere."""

    def __init__(self, build: Callable[[], _Metrics]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._opened: tuple[Path, int, _Metrics] | None = None
        os.register_at_fork(after_in_child=self._forget)

    def open(self, directory: Path) -> _Metrics:
        """The metrics, whose files are in that directory. Raises `OSError` when the disk has no room for them."""
        opened = self._opened
        if opened is None or opened[0] != directory:
            with self._lock:
                opened = self._opened
                if opened is None or opened[0] != directory:
                    self._opened = opened = self._open(directory)
        return opened[2]

    def _open(self, directory: Path) -> tuple[Path, int, _Metrics]:
        if self._opened is not None:
            values.ValueClass.close_all_files()
            os.close(self._opened[1])
            self._opened = None
        name, lock = claim_process_name(directory)
        try:
            (directory / f"{_LIVING}_{name}.db").unlink(missing_ok=True)  # what a killed process was at
            for kind in (*_SUMMED, _LIVING):
                _allocate_file(directory / f"{kind}_{name}.db")
        except OSError:
            os.close(lock)
            raise
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(directory)
        values.ValueClass = values.MultiProcessValue(process_identifier=lambda: name)
        return directory, lock, self._build()

    def _forget(self) -> None:
        """In a forked child: name and files are its parent's."""
        self._lock = threading.Lock()
        if self._opened is not None:
            os.close(self._opened[1])
            self._opened = None


def read_totals(directory: Path) -> Sums:
    """All that was ever counted on this machine."""
    return Sums(_sum_files(_list_files(directory)))


def read_pending(directory: Path) -> Sums:
    """What was counted and not handed over."""
    paths = _list_files(directory)
    before = [_read_file(_find_note(path)) for path in paths]  # first, because it is never more than what was counted
    return Sums(_add_up(_subtract(_read_file(path), note) for path, note in zip(paths, before, strict=True)))


def read_living(directory: Path) -> Sums:
    """The gauges of the processes that live."""
    return Sums(_sum_files(_list_living(directory)))


def collect_metrics(directory: Path) -> Iterable[Metric]:
    """The same for Prometheus."""
    paths = [path for path in (*_list_files(directory), *_list_living(directory)) if _read_file(path)]
    found: Iterable[Metric] = MultiProcessCollector.merge([str(path) for path in paths])
    return found


@contextmanager
def handing_over(directory: Path) -> Iterator[Sums]:
    """The counts since the last time; they count as handed over when the block ends without an error.

    Noted file by file, so that one which cannot be read hands over nothing of its own again, nor of the others. One
    caller at a time. Raises `OSError` before the block when another takes more than 5 s, or the disk lacks room for the
    note.
    """
    with files.locking_file(directory / _LOCK, wait_s=_HAND_OVER_WAIT_S), ExitStack() as opened:
        found: list[tuple[_Values, MmapedDict]] = []
        for path in _list_files(directory):
            _allocate_file(_find_note(path))
            note = MmapedDict(str(_find_note(path)))
            opened.callback(note.close)
            found.append((_read_file(path), note))
        yield Sums(_add_up(_subtract(counted, _read_note(note)) for counted, note in found))
        for counted, note in found:
            for key, value in counted.items():
                note.write_value(key, value, 0.0)


def _find_note(path: Path) -> Path:
    """The file with what was handed over of a file."""
    return path.with_suffix(_HANDED_OVER)


def _read_note(note: MmapedDict) -> _Values:
    return {key: value for key, value, _ in note.read_all_values()}


def _allocate_file(path: Path) -> None:
    """Have room on the disk for a file; one that a power cut has torn begins anew, with what is noted of it.

    Raises `OSError` when it cannot be read, or has no room.
    """
    try:
        is_whole = bool(_parse_file(path))
    except (FileNotFoundError, *_TORN):
        is_whole = False
    if not is_whole:
        path.unlink(missing_ok=True)
        _find_note(path).unlink(missing_ok=True)
    file = files.open_file(path)
    try:
        os.posix_fallocate(file, 0, _OCTETS)
    finally:
        os.close(file)


def _list_files(directory: Path) -> list[Path]:
    return [path for kind in _SUMMED for path in sorted(directory.glob(f"{kind}_*.db"))]


def _list_living(directory: Path) -> list[Path]:
    found = {path: path.stem.removeprefix(f"{_LIVING}_") for path in directory.glob(f"{_LIVING}_*.db")}
    return [path for path, name in found.items() if is_process_alive(directory, name)]


def _sum_files(paths: Iterable[Path]) -> _Values:
    return _add_up(map(_read_file, paths))


def _add_up(found: Iterable[_Values]) -> _Values:
    sums: dict[str, float] = defaultdict(float)
    for one in found:
        for key, value in one.items():
            sums[key] += value
    return sums


def _subtract(counted: _Values, before: _Values) -> _Values:
    """What came since; a power cut may have left a count as it was before."""
    return {key: max(0.0, value - before.get(key, 0.0)) for key, value in counted.items()}


def _read_file(path: Path) -> _Values:
    """The values of a file by key; nothing of one that is new, gone, or torn by a power cut."""
    with suppress(OSError, *_TORN):
        return _parse_file(path)
    return {}


def _parse_file(path: Path) -> _Values:
    found = {key: value for key, value, _, _ in MmapedDict.read_all_values_from_file(str(path))}
    for key in found:
        _parse_key(key)
    return found


@lru_cache(maxsize=1_000)
def _parse_key(key: str) -> tuple[str, frozenset[tuple[str, str]]]:
    _, name, labels, _ = json.loads(key)
    return name, frozenset(labels.items())
