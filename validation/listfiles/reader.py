"""The side of the reader that runs in our own processes: it starts the limited child and trusts nothing."""

import dataclasses
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from validation.listfiles.shape import (
    Column,
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
    Record,
)

logger = logging.getLogger(__name__)

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


def inspect(path: Path, options: ReadOptions = _ANYTHING, limits: Limits = _DEFAULT_LIMITS) -> ListShape:
    """How the file is understood, with every column and five values of each.

    Raises:
        ListFileError: the file cannot be read, or an option does not fit it.
    """
    with _spool() as spool:
        return _run_child("shape", path, options, limits, spool)


@contextmanager
def read_addresses(
    path: Path, options: ReadOptions = _ANYTHING, limits: Limits = _DEFAULT_LIMITS
) -> Iterator[tuple[ListShape, Iterator[str]]]:
    """The shape and the e-mail cell of every data row in file order, "" for a blank one.

    Values are exactly those of the file, white space around them included; duplicates stay. The
    whole file has been read without error before the first value is handed out.

    Raises:
        ListFileError: as `inspect`.
    """
    with _spool() as spool:
        shape = _run_child("addresses", path, options, limits, spool)
        yield shape, _items(spool)


@contextmanager
def read_records(
    path: Path, options: ReadOptions = _ANYTHING, limits: Limits = _DEFAULT_LIMITS
) -> Iterator[tuple[ListShape, Iterator[Record]]]:
    """The shape and every record of the file, header and blank lines included, in file order.

    The joined `raw` of a text file's records, encoded with the shape's `encoding` after its byte
    order mark if it has one, is the file again.

    Raises:
        ListFileError: as `inspect`.
    """
    with _spool() as spool:
        shape = _run_child("records", path, options, limits, spool)
        yield shape, (Record(row, email, tuple(cells), raw) for row, email, cells, raw in _items(spool))


def _spool() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="listfile-")


def _items(spool: IO[bytes]) -> Iterator[Any]:
    spool.seek(0)
    for line in spool:
        yield from json.loads(line)


def _run_child(want: str, path: Path, options: ReadOptions, limits: Limits, spool: IO[bytes]) -> ListShape:
    if path.stat().st_size > limits.file_bytes:
        size = limits.file_bytes // 2**20
        raise ListFileError(ErrorCode.FILE_TOO_LARGE, f"File is too large. Maximum size is {size}MB.")
    request = {
        "want": want,
        "path": str(path.resolve()),
        "options": dataclasses.asdict(options),
        "limits": dataclasses.asdict(limits),
        "spool": spool.fileno(),
    }
    answer = json.loads(_converse(json.dumps(request), limits, spool.fileno()))
    if "error" in answer:
        raise ListFileError(ErrorCode(answer["error"]["code"]), answer["error"]["detail"])
    return _shape(answer["shape"])


def _converse(request: str, limits: Limits, descriptor: int) -> bytes:
    """Run the child to its end; its environment holds none of our secrets."""
    command = (sys.executable, "-m", "validation.listfiles.child")
    try:
        done = subprocess.run(
            command,
            input=request.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(descriptor,),
            cwd=_ROOT,
            env={"PYTHONPATH": os.fspath(_ROOT), "PYTHONUTF8": "1"},
            timeout=limits.wall_seconds,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        # The child's own words may quote the file, so only how it ended is logged.
        logger.warning("the list reader did not finish: %s", getattr(error, "returncode", "timeout"))
        raise ListFileError(
            ErrorCode.UNREADABLE_FILE,
            "The file is damaged, or takes too much memory or time to read. Save it as CSV and upload that.",
        ) from error
    return done.stdout


def _shape(answer: dict[str, Any]) -> ListShape:
    columns = tuple(Column(**{**column, "samples": tuple(column["samples"])}) for column in answer["columns"])
    return ListShape(**{**answer, "kind": Kind(answer["kind"]), "sheets": tuple(answer["sheets"]), "columns": columns})
