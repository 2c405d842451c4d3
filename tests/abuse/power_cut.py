"""What of a process's files is on the disk at a moment, by what it asked the system to do.

A power cut in its worst legal form: of each file only that is left which was written before its last sync, and of names
only those whose folder was synced (fsync(2)). strace(1) tells what was written and synced, in order; that is done again
here to a copy of the files as they were before. What is removed stays: SQLite's log is not, while it is open.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SAYS = b"acknowledged: "
_RENAMES = ("rename", "renameat", "renameat2")
_CALLS = ",".join(("pwrite64", "write", "ftruncate", "mkdir", "fsync", "fdatasync", *_RENAMES))
STRACE = ("strace", "-f", "-y", "-xx", "-s", "1000000", "-e", f"trace={_CALLS}", "-o")
_LINE = re.compile(r"(\w+)\((.*)\) += \d+")
_NAMED = re.compile(r"\d+<((?:\\x[0-9a-f]{2})*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_HALF, _REST = " <unfinished ...>", re.compile(r"<\.\.\. \w+ resumed>(.*)")
Change = tuple[int, bytes | None]
"""Where what was written; where the file was cut off."""


class Disk:
    """A folder as a power cut would leave it, and as it was at first."""

    def __init__(self, before: Path, folder: Path) -> None:
        self._folder = folder
        self._contents = {folder / path.relative_to(before): _content(path) for path in before.rglob("*")}
        self._contents[folder] = bytearray()
        self._names = set(self._contents)
        self._cached: dict[Path, list[Change]] = defaultdict(list)
        self._ends: dict[Path, int] = defaultdict(int)

    def follow(self, trace: Path) -> Iterator[str]:
        """Do what the trace says; stops at each line of `SAYS` that the process wrote, and answers what it said."""
        for line in _whole_lines(trace):
            match = _LINE.fullmatch(line)
            if match is None:
                continue
            call, arguments = match.groups()
            data = _decoded(_TEXT.search(arguments))
            if data.startswith(SAYS):
                yield data.removeprefix(SAYS).decode().strip()
            elif call in _RENAMES:
                self._rename(
                    *(Path(bytes.fromhex(name.replace("\\x", "")).decode()) for name in _TEXT.findall(arguments))
                )
            else:
                named = _NAMED.match(arguments)
                path = Path((_decoded(named) if named else data).decode())
                if self._folder in (path, *path.parents):
                    self._do(call, path, data, arguments.rsplit(", ", 1)[-1])

    def save(self, target: Path) -> None:
        """Write what is left into a folder."""
        for path in sorted(self._names):
            copy = target / path.relative_to(self._folder)
            if path.is_dir():
                copy.mkdir(exist_ok=True)
            else:
                copy.write_bytes(self._contents[path])

    def _do(self, call: str, path: Path, data: bytes, last: str) -> None:
        self._contents.setdefault(path, bytearray())
        if call in ("fsync", "fdatasync"):
            self._sync(path)
        elif call == "ftruncate":
            self._cached[path].append((int(last), None))
        elif call != "mkdir":
            at = int(last) if call == "pwrite64" else self._ends[path]
            self._ends[path] = at + len(data)
            self._cached[path].append((at, data))

    def _rename(self, path: Path, target: Path) -> None:
        """The new name is left when its folder is synced; the old one stays where it was."""
        if self._folder in path.parents and path in self._contents:
            self._contents[target] = self._contents[path]
            self._cached[target] = self._cached.pop(path, [])

    def _sync(self, path: Path) -> None:
        if path in self._names:
            self._names |= {made for made in self._contents if made.parent == path}
        content = self._contents[path]
        for at, data in self._cached.pop(path, ()):
            content.extend(bytes(max(0, at - len(content))))
            if data is None:
                del content[at:]
            else:
                content[at : at + len(data)] = data


def _content(path: Path) -> bytearray:
    return bytearray() if path.is_dir() else bytearray(path.read_bytes())


def _decoded(found: "re.Match[str] | None") -> bytes:
    return bytes.fromhex(found[1].replace("\\x", "")) if found else b""


def _whole_lines(trace: Path) -> Iterator[str]:
    """The calls without their process, in the order in which they ended; each in one piece."""
    begun: dict[str, str] = {}
    for text in trace.read_text().splitlines():
        process, line = text.split(maxsplit=1)
        if line.endswith(_HALF):
            begun[process] = line.removesuffix(_HALF)
        elif rest := _REST.fullmatch(line):
            yield begun.pop(process) + rest[1]
        else:
            yield line
