"""Uploaded files: bounded while they arrive, kept safely, read in a limited process."""

import os
import shutil
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler

from emailcheck.common import ids
from emailcheck.common.errors import BadInput, ProductError, TooLarge
from validation.listfiles import ListFileError, check_filename, read_addresses

TOO_LARGE = "File is too large. Maximum size is 10MB."
_FORM_ALLOWANCE = 64 * 1024
# Each reading process may take 1 GB; more than two at once wait for their turn.
_readers = threading.BoundedSemaphore(2)


class BoundedUploadHandler(TemporaryFileUploadHandler):
    """Stops an upload at `MAX_UPLOAD_BYTES`, whatever length its sender claims."""

    def handle_raw_input(
        self,
        input_data: Any,
        meta: dict[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > settings.MAX_UPLOAD_BYTES + _FORM_ALLOWANCE:
            raise TooLarge(TOO_LARGE, field="file")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        if start + len(raw_data) > settings.MAX_UPLOAD_BYTES:
            self.file.close()
            raise TooLarge(TOO_LARGE, field="file")
        super().receive_data_chunk(raw_data, start)


def store(upload: "UploadedFile[bytes]") -> str:
    """Keep an upload on disk, synced, under a name of ours; answers its path below `MEDIA_ROOT`."""
    relative = f"uploads/{ids.new('upl')}{Path(upload.name or '').suffix.lower()[:8]}"
    target = settings.MEDIA_ROOT / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        shutil.copyfileobj(upload, file)
        file.flush()
        os.fsync(file.fileno())
    _sync_names(target.parent)
    return relative


def _sync_names(directory: Path) -> None:
    """A file survives a crash only when its name has been written too (fsync(2))."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def discard(relative: str) -> None:
    """Remove a stored upload; harmless when it is gone."""
    (settings.MEDIA_ROOT / relative).unlink(missing_ok=True)


def check_name(upload: "UploadedFile[bytes]") -> None:
    """Raises `BadInput` (`UNSUPPORTED_FILE`) for a name that is none of the four types."""
    try:
        check_filename(upload.name or "")
    except ListFileError as error:
        raise _refusal(error) from error


def addresses_in(relative: str) -> list[str]:
    """The e-mail cell of every data row of a stored upload, in order, `""` for blank ones.

    Raises `BadInput` or `TooLarge` with a sentence that says what to do.
    """
    try:
        with _readers, read_addresses(settings.MEDIA_ROOT / relative) as (_, addresses):
            return list(addresses)
    except ListFileError as error:
        raise _refusal(error) from error


def _refusal(error: ListFileError) -> ProductError:
    kind = TooLarge if error.code == "FILE_TOO_LARGE" else BadInput
    return kind(error.detail, code=error.code, field="file")
