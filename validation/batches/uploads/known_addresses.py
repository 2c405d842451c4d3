"""What is known of the addresses of an upload: found with each reading, kept in a file beside it."""

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

from accounts.organisations.models import Organisation
from emailcheck.common import secrecy
from emailcheck.common.files import delete_files, file_store
from validation.batches.intake.sorted_files import iterate_chunks
from validation.batches.reuse import known
from validation.batches.reuse.known import NOTHING, Finding, KnownAddresses, ListOfAddresses, StoredRows, TakenOver
from validation.batches.samples.verdicts import find_sample
from validation.batches.uploads import files
from validation.batches.uploads.files import FileContent, Reading
from validation.batches.uploads.models import Upload


class KnownContent(NamedTuple):
    """The contents of a file within its credits, and what is known of them: as `Upload.known` and `Upload.known_file`
    keep it.
    """

    content: FileContent
    known: dict[str, Any] | None
    known_file: str


class KnownReader:
    """Reads files and finds what is known of them: verdicts of up to `days` days, also of `person_id`'s private lists,
    and those of a sample.
    """

    def __init__(self, organisation: Organisation, *, days: int, person_id: int | None) -> None:
        self._organisation, self._days, self._person_id = organisation, days, person_id

    def read(self, file: str, reading: Reading, *, content_hash: str = "") -> KnownContent:
        """Read a file and store what is found. `content_hash`: of the whole list, where this is its rest."""
        with files.open_list(file) as upload:
            if not known.may_know(self._organisation, days=self._days):
                content = upload.read(reading)
                upload.keep(content)
                return KnownContent(content, None, "")

            def read(max_credits: int | None, free: Iterable[int]) -> FileContent:
                return upload.read(dataclasses.replace(reading, max_credits=max_credits), free=free)

            def find(content: FileContent, whole: FileContent) -> Finding:
                chunks = partial(upload.iterate_chunks, content)
                return self._find(chunks, content.possible, content_hash or whole.content_hash)

            cut = known.read_within(reading.max_credits, read=read, find=find)
            content = dataclasses.replace(cut.content, content_hash=cut.whole.content_hash)
            try:
                upload.keep(content)
                return KnownContent(content, *_write_known_file(cut.found, content.sorted_file))
            except BaseException:
                delete_files(content.sorted_file)
                raise

    def find_again(self, upload: Upload) -> tuple[dict[str, Any] | None, str]:
        """What is known now of an upload that was read before, as in `KnownContent`."""
        if not known.may_know(self._organisation, days=self._days):
            return None, ""
        with file_store().local_copy(upload.sorted_file) as path:
            found = self._find(partial(iterate_chunks, path), upload.possible, upload.content_hash)
            return _write_known_file(found, upload.sorted_file)

    def _find(self, chunks: known.Chunks, possible: int, content_hash: str) -> Finding:
        those = ListOfAddresses(self._organisation, chunks, possible, content_hash, self._person_id)
        return Finding(those, days=self._days)


def _write_known_file(found: Finding, sorted_file: str) -> tuple[dict[str, Any], str]:
    if not found.known.reused:
        return found.known.as_json(), ""
    with file_store().begin_file(f"{sorted_file}.{secrecy.generate_id('knw')}") as made:
        known.write_rows(found.rows(), made.path)
        made.keep()
    return found.known.as_json(), made.name


@contextmanager
def open_taken_over(known_json: dict[str, Any] | None, known_file: str) -> Iterator[TakenOver]:
    """What a list takes over at its start."""
    if not known_file:
        yield NOTHING
        return
    with file_store().local_copy(known_file) as path:
        yield TakenOver(KnownAddresses.from_json(known_json), StoredRows(path))


def is_outdated(upload: Upload) -> bool:
    """Whether the sample of an upload has ended since it was looked for what is known."""
    sample = find_sample(upload.organisation, upload.content_hash)
    return sample is not None and KnownAddresses.from_json(upload.known).sample != sample.pk


def is_usable(upload: Upload) -> bool:
    """Whether what the review has promised can still be taken over."""
    with open_taken_over(upload.known, upload.known_file) as over:
        return known.is_usable(upload.organisation, over.known, over.rows)
