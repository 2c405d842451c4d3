"""The reader's part in our own processes: it starts the limited child and trusts none of its output."""

import dataclasses
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from validation.listfiles.shape import ErrorCode, Limits, ListFileError, ListShape, ReadOptions
from validation.listfiles.stored_shapes import parse_shape

logger = logging.getLogger(__name__)

_CHILD = "validation.listfiles.child"
_ROOT = Path(__file__).resolve().parents[2]
_EXTENSIONS = frozenset({".csv", ".xlsx", ".xls", ".txt"})
_ANYTHING = ReadOptions()
_DEFAULT_LIMITS = Limits()


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
    child: str, want: str, path: Path, ask: dict[str, Any], limits: Limits = _DEFAULT_LIMITS
) -> Iterator[Any]:
    """The rows of a product while the module `child` makes them, at the reader's pace.

    Raises `ListFileError`: the file cannot be read to its end; rows may have come before.
    """
    _check_size(path, limits)
    source, sink = os.pipe()
    try:
        process = _start_child(child, sink)
    finally:
        os.close(sink)
    assert process.stdin
    assert process.stdout
    with os.fdopen(source, "rb") as rows, process:
        try:
            process.stdin.write(_encode_request(want, path, ask, sink, limits).encode())
            process.stdin.close()
            for line in rows:
                yield from json.loads(line)
            answer = process.stdout.read()
            if process.wait():
                raise _cut_off_error(process.returncode)
            _parse_answer(answer)
        finally:
            process.kill()


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
    return subprocess.Popen(
        (sys.executable, "-m", child),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=(descriptor,),
        cwd=_ROOT,
        env={"PYTHONPATH": os.fspath(_ROOT), "PYTHONUTF8": "1"},
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
