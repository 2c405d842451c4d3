"""The reader's part in our own processes: it starts the limited child and trusts none of its output."""

import contextlib
import dataclasses
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from validation.listfiles.shape import ErrorCode, Limits, ListFileError, ListShape, ReadOptions, parse_shape

logger = logging.getLogger(__name__)

_CHILD = "validation.listfiles.child"
_ROOT = Path(__file__).resolve().parents[2]
_EXTENSIONS = frozenset({".csv", ".xlsx", ".xls", ".txt"})
_ANYTHING = ReadOptions()
_DEFAULT_LIMITS = Limits()
_LONGEST_LINE = 2**26  # bytes of what a child writes at once; a row of a sheet is some 2**25 at most
_READ_BYTES = 2**18
_PAUSE_S = 0.05
_HEAP_STEP_BYTES = 2**24


def check_filename(name: str) -> None:
    """Refuse a file whose name ends in none of the four extensions.

    Raises:
        ListFileError: UNSUPPORTED_FILE.
    """
    if Path(name).suffix.lower() not in _EXTENSIONS:
        detail = "Only .csv, .xlsx, .xls and .txt files are supported"
        raise ListFileError(ErrorCode.UNSUPPORTED_FILE, detail)


def inspect_list(path: Path, options: ReadOptions = _ANYTHING, limits: Limits = _DEFAULT_LIMITS) -> ListShape:
    """The format of the file, with every column and five values of each.

    Raises `ListFileError`: the file cannot be read, or an option does not fit it.
    """
    with tempfile.TemporaryFile(prefix="listfile-") as spool:
        return parse_shape(make_product(_CHILD, "shape", path, dataclasses.asdict(options), spool, limits))


def make_product(
    child: str, want: str, path: Path, ask: dict[str, Any], spool: IO[bytes], limits: Limits = _DEFAULT_LIMITS
) -> Any:
    """Let the module `child` make a product of the file. Returns its response once all rows are in the spool.

    Raises `ListFileError`: the file cannot be read, or the request does not fit it. `OSError`: the disk of the spool is
    full.
    """
    _check_size(path, limits)
    answer = _run_child(child, _encode_request(want, path, ask, spool.fileno(), limits), limits, spool.fileno())
    return _parse_answer(answer)


def stream_product(
    child: str,
    want: str,
    path: Path,
    ask: dict[str, Any],
    limits: Limits = _DEFAULT_LIMITS,
    *,
    on_end: Callable[[], None] = lambda: None,
) -> Iterator[list[Any]]:
    """The rows of a product while the module `child` makes them, some at a time.

    The child writes to a temporary file at its own pace, and so ends soon however slowly its rows are read. `on_end` is
    called when it has ended, by another thread.

    Raises `ListFileError`: the file cannot be read to its end; rows may have come before. `OSError`: the disk is full.
    """
    _check_size(path, limits)
    with tempfile.TemporaryFile(prefix="listfile-") as spool, _start_child(child, spool.fileno()) as process:
        threading.Thread(target=_watch_child, args=(process, limits.wall_seconds, on_end), daemon=True).start()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(_encode_request(want, path, ask, spool.fileno(), limits).encode())
            process.stdin.close()
            for line in _follow_lines(process, spool.fileno()):
                yield json.loads(line)
            if process.returncode:
                raise _cut_off_error(process.returncode)
            _parse_answer(process.stdout.read())
        finally:
            process.kill()


def _watch_child(process: "subprocess.Popen[bytes]", seconds: float, on_end: Callable[[], None]) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    on_end()


def _follow_lines(process: "subprocess.Popen[bytes]", spool: int) -> Iterator[bytes]:
    """The lines of a file while a process writes it. The file's own position is left to the process."""
    position, rest = 0, b""
    while True:
        has_ended = process.poll() is not None
        data = os.pread(spool, _READ_BYTES, position)
        if not data and has_ended:
            return
        if not data:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_PAUSE_S)
        position += len(data)
        *lines, rest = (rest + data).split(b"\n")
        yield from lines
        if len(rest) > _LONGEST_LINE:
            raise _cut_off_error("too long a line")


def _check_size(path: Path, limits: Limits) -> None:
    if path.stat().st_size > limits.file_bytes:
        size = limits.file_bytes // 2**20
        raise ListFileError(ErrorCode.FILE_TOO_LARGE, f"File is too large. Maximum size is {size}MB.")


def _encode_request(want: str, path: Path, ask: dict[str, Any], spool: int, limits: Limits) -> str:
    request = {
        "want": want,
        "path": str(path.resolve()),
        "ask": ask,
        "limits": dataclasses.asdict(limits),
        "spool": spool,
    }
    return json.dumps(request)


def _start_child(child: str, descriptor: int) -> "subprocess.Popen[bytes]":
    """Start a child without our secrets in its environment."""
    # A heap that grows in large steps is not given back and taken again between one block of rows and the next.
    environment = {"PYTHONPATH": os.fspath(_ROOT), "PYTHONUTF8": "1", "MALLOC_TOP_PAD_": str(_HEAP_STEP_BYTES)}
    return subprocess.Popen(
        (sys.executable, "-m", child),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        cwd=_ROOT,
        env=environment,
    )


def _run_child(child: str, request: str, limits: Limits, descriptor: int) -> bytes:
    with _start_child(child, descriptor) as process:
        try:
            answer, _ = process.communicate(request.encode(), timeout=limits.wall_seconds)
        except subprocess.TimeoutExpired as error:
            raise _cut_off_error("timeout") from error
        finally:
            process.kill()
    if process.returncode:
        raise _cut_off_error(process.returncode)
    return answer


def _parse_answer(answer: bytes) -> Any:
    found = json.loads(answer)
    if "full" in found:
        raise OSError(found["full"], os.strerror(found["full"]))
    if "error" in found:
        raise ListFileError(ErrorCode(found["error"]["code"]), found["error"]["detail"])
    return found["answer"]


def _cut_off_error(how: object) -> ListFileError:
    # The child's own words may quote the file, so only how it ended is logged.
    logger.warning("the list reader did not finish: %s", how)
    return ListFileError(
        ErrorCode.UNREADABLE_FILE,
        "The file is damaged, or takes too much memory or time to read. Save it as CSV and upload that.",
    )
