"""Lists as CSV files, in the two dialects of the providers."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from validation.providers.clients.base import BadAnswer

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_BACKSLASH = "\\"


def build_csv(addresses: Sequence[str], *, backslash: bool = False) -> bytes:
    """One address a line, in quotes. A quote inside is doubled, or escaped by a backslash."""
    text = io.StringIO(newline="")
    escape = _BACKSLASH if backslash else None
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, doublequote=not backslash, escapechar=escape)
    writer.writerows([address] for address in addresses)
    return text.getvalue().encode()


def parse_csv_rows(body: bytes, *, prefix: str, verdict: str, backslash: bool = False) -> Iterator[dict[str, str]]:
    """The rows of a CSV file by column name, in lower case with underscores and without the `prefix`.

    Raises `BadAnswer` for other content, and without a `verdict` column.
    """
    text = body.decode("utf-8-sig", errors="replace").replace("\0", "")
    escape = _BACKSLASH if backslash else None
    reader = csv.reader(io.StringIO(text, newline=""), doublequote=not backslash, escapechar=escape)
    try:
        names = [_SEPARATORS.sub("_", name.lower()).strip("_").removeprefix(prefix) for name in next(reader, [])]
        if verdict not in names:
            raise BadAnswer(f"no column {verdict}")
        for cells in reader:
            if cells:
                yield dict(zip(names, cells, strict=False))
    except csv.Error:
        raise BadAnswer("no CSV") from None
