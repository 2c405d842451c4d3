"""Where the files of this installation are: uploads, and what is made of them."""

import uuid
from contextlib import suppress

from django.conf import settings

__all__ = ["StoreUnavailable", "check_stores", "describe_place"]
_MARK = "place"


class StoreUnavailable(Exception):
    """The store of files does not answer."""


def check_stores() -> None:
    """Whether files can be reached. Raises `StoreUnavailable`."""
    for directory in (settings.MEDIA_ROOT, settings.BACKUP_DIR):
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable from error


def describe_place() -> str:
    """Where uploads are: the same text on every machine that reads the same ones."""
    mark = settings.MEDIA_ROOT / _MARK
    mark.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError), mark.open("x") as file:
        file.write(uuid.uuid4().hex)
    return f"disk:{mark.read_text().strip()}"
