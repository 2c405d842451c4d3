"""Uploaded files: bounded on arrival, stored safely, read in a limited process."""

import dataclasses
import threading
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler

from emailcheck.common import secrecy
from emailcheck.common.api import pagination
from emailcheck.common.errors import BadInput, ProductError, TooLarge, Unavailable
from emailcheck.common.files import NewFile, file_store
from emailcheck.common.text.cleaning import make_storable
from validation.batches.intake import sorted_files
from validation.batches.intake.choices import RepairChoices
from validation.batches.intake.findings import Finding
from validation.listfiles import ErrorCode, ListFileError, ReadOptions
from validation.listfiles.child_process import check_filename, make_product

TOO_LARGE = "File is too large. Maximum size is 10MB."
_FORM_ALLOWANCE = 64 * 1024
_CHILD = "validation.batches.intake.process"
# Error codes that the API maps to broader ones, and the field that each concerns.
_CODES = {
    ErrorCode.UNKNOWN_SHEET: ("VALIDATION_ERROR", "sheet"),
    ErrorCode.UNKNOWN_COLUMN: ("VALIDATION_ERROR", "email_column"),
    ErrorCode.INVALID_COLUMNS: ("VALIDATION_ERROR", "email_columns"),
    ErrorCode.INVALID_HEADER_ROW: ("VALIDATION_ERROR", "header_row"),
    ErrorCode.INVALID_OPTION: ("VALIDATION_ERROR", "encoding"),
    ErrorCode.ENCRYPTED_FILE: ("UNREADABLE_FILE", "file"),
    ErrorCode.FILE_TOO_LARGE: ("UNREADABLE_FILE", "file"),  # inside: the size of the file itself was checked before
}
# Each reading process may take half a gigabyte; more than two at once wait for their turn, and not for ever: each of
# them keeps a thread of the web server.
_readers = threading.BoundedSemaphore(2)
_PATIENCE_S = 20


class BoundedUploadHandler(TemporaryFileUploadHandler):
    """Stops an upload at `MAX_UPLOAD_BYTES`, whatever length its sender claims."""

    def handle_raw_input(
        self, input_data: Any, meta: dict[str, Any], content_length: int, boundary: str, encoding: str | None = None
    ) -> None:
        if content_length > settings.MAX_UPLOAD_BYTES + _FORM_ALLOWANCE:
            raise TooLarge(TOO_LARGE, field="file")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > settings.MAX_UPLOAD_BYTES:
            self.file.close()
            raise TooLarge(TOO_LARGE, field="file")
        super().receive_data_chunk(raw_data, start)


def store_file(upload: "UploadedFile[bytes]") -> str:
    """Store an upload under a generated name. Returns this name."""
    name = f"uploads/{secrecy.generate_id('upl')}{Path(upload.name or '').suffix.lower()[:8]}"
    return file_store().save(name, upload)


def check_file_name(upload: "UploadedFile[bytes]") -> None:
    """Raises `BadInput` (`UNSUPPORTED_FILE`) for a name without one of the four extensions."""
    try:
        check_filename(upload.name or "")
    except ListFileError as error:
        raise _build_refusal(error) from error


@dataclasses.dataclass(frozen=True, slots=True)
class FileContent:
    """The contents of an upload: its data `rows`, of which `possible` and `bad_syntax` will be checked."""

    shape: dict[str, Any]  # as `listfiles.ListShape`
    sorted_file: str
    rows: int
    possible: int
    bad_syntax: int
    duplicates: int
    blank: int
    cut_at: int | None  # the first position that was left out for want of credits
    rest: dict[str, int] | None  # how much was left out, as `batches.intake.addresses.Rest`
    content_hash: str  # SHA-256 of the addresses
    findings: dict[str, Any]  # as `batches.intake.findings.FindingCounts`, and `by_column`: addresses of each column
    operators: dict[str, int]  # rows by operator, as `validation.batches.intake.operators` knows them

    @property
    def unique(self) -> int:
        return self.possible + self.bad_syntax


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read: its format, what is repaired, and which part of it.

    With `max_credits` the list ends after the first addresses that so many credits pay for; it begins at the position
    `after`.
    """

    options: ReadOptions = dataclasses.field(default_factory=ReadOptions)
    choices: RepairChoices = dataclasses.field(default_factory=RepairChoices)
    max_credits: int | None = None
    after: int = 0


class ListReader:
    """Reads a stored upload. What it finds is on the disk of this machine, until it is kept."""

    def __init__(self, name: str, path: Path) -> None:
        self._name, self._path = name, path
        self._made: dict[str, NewFile] = {}

    def read(self, reading: Reading, *, free: Iterable[int] = ()) -> FileContent:
        """Read it once: its format, its contents, and its addresses sorted into a file.

        Addresses at the positions `free` need no credit. Raises `BadInput` with advice for the organisation,
        `Unavailable` when too many files are being read.
        """
        sorted_file = f"{self._name}.{secrecy.generate_id('srt')}"
        made = self._made[sorted_file] = file_store().begin_file(sorted_file)
        with made.path.open("w+b") as spool, NamedTemporaryFile(prefix="positions-") as positions:
            positions.write(array("I", free).tobytes())
            positions.flush()
            more = {"chunk_rows": settings.CHUNK_ROWS, "free": positions.name}
            ask = dataclasses.asdict(reading) | more
            with _reading_slot():
                try:
                    answer = make_product(_CHILD, "chunks", self._path, ask, spool)
                except ListFileError as error:
                    raise _build_refusal(error) from error
        return FileContent(
            shape=_make_storable(answer["shape"]),
            sorted_file=sorted_file,
            **answer["counts"],
            findings=answer["findings"],
            operators=answer["operators"],
        )

    def iterate_chunks(self, content: FileContent) -> Iterator[list[list[Any]]]:
        """The addresses of a reading."""
        return sorted_files.iterate_chunks(self._made[content.sorted_file].path)

    def keep(self, content: FileContent) -> None:
        """Store the sorted file of a reading."""
        self._made[content.sorted_file].keep()

    def close(self) -> None:
        """Remove the sorted files that are not kept."""
        for made in self._made.values():
            made.close()


@contextmanager
def open_list(name: str) -> Iterator[ListReader]:
    """A stored upload, to be read some times."""
    with file_store().local_copy(name) as path, closing(ListReader(name, path)) as reader:
        yield reader


@contextmanager
def _reading_slot() -> Iterator[None]:
    if not _readers.acquire(timeout=_PATIENCE_S):
        raise Unavailable("Too many files are being read. Try again in a minute.")
    try:
        yield
    finally:
        _readers.release()


class RepairsPage(NamedTuple):
    """A page of findings, and the cursor of the next one."""

    findings: list[Finding]
    next_cursor: str | None


def page_findings(sorted_file: str, *, kind: str | None, cursor: str, size: int) -> RepairsPage:
    """A page of the repairs and suggestions of an upload, of one `kind` or all.

    Raises `BadInput` for a cursor that no page of this reading gave.
    """
    made_for = f"repairs {sorted_file} {kind or ''}"
    with file_store().open(sorted_file) as lines:
        start = pagination.decode_cursor(cursor, made_for, "cursor")[1] if cursor else 0
        all_findings = sorted_files.iterate_findings(lines, start=start)
        wanted = (at for at in all_findings if kind is None or kind in at.finding.kinds)
        found = list(islice(wanted, size + 1))
    page = [at.finding for at in found[:size]]
    is_last = len(found) <= size
    return RepairsPage(page, None if is_last else pagination.encode_cursor(made_for, None, found[size - 1].end))


def _make_storable(value: Any) -> Any:
    if isinstance(value, str):
        return make_storable(value)
    if isinstance(value, list):
        return [_make_storable(item) for item in value]
    if isinstance(value, dict):
        return {key: _make_storable(item) for key, item in value.items()}
    return value


def _build_refusal(error: ListFileError) -> ProductError:
    code, field = _CODES.get(error.code, (error.code, "file"))
    return BadInput(error.detail, code=code, field=field)
