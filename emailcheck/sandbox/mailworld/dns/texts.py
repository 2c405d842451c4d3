"""TXT records that somebody put into the simulated DNS, as at a registrar's panel: bounded, kept over restarts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import idna

from emailcheck.sandbox.mailworld.dns.zone import Zone
from emailcheck.sandbox.mailworld.scenario.world import encode_a_labels

MOST = 100
LONGEST = 1_000
_NAME = re.compile(r"(?=.{3,253}\Z)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class TextRecord(NamedTuple):
    """A TXT record; `name` in lower-case A-labels, without the final dot."""

    name: str
    text: str


class TextRecords:
    """The added records of a zone, oldest first, and the file that holds them."""

    def __init__(self, zone: Zone, file: Path) -> None:
        self._zone = zone
        self._file = file
        self._records = list(dict.fromkeys(_read_records(file)))
        for record in self._records:
            zone.add_text(*record)

    def __iter__(self) -> Iterator[TextRecord]:
        return iter(self._records)

    def add(self, name: str, text: str) -> TextRecord:
        """Add a record, once. Raises `ValueError` with a sentence, `OSError` when the file cannot be written."""
        record = _parse_record(name, text)
        if record in self._records:
            return record
        if len(self._records) >= MOST:
            raise ValueError(f"There are {MOST} records. Remove one before you add another.")
        self._zone.add_text(*record)
        self._records.append(record)
        self._write()
        return record

    def remove(self, name: str, text: str) -> None:
        """Remove a record, if it is there. Raises as `add`."""
        record = _parse_record(name, text)
        if record in self._records:
            self._zone.remove_text(*record)
            self._records.remove(record)
            self._write()

    def _write(self) -> None:
        beside = self._file.with_suffix(".new")
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(self._records, ensure_ascii=False, indent=1), encoding="utf-8")
        beside.replace(self._file)


def _parse_record(name: str, text: str) -> TextRecord:
    try:
        found = ".".join(map(encode_a_labels, name.strip().removesuffix(".").split(".")))
    except idna.IDNAError:
        found = ""
    if _NAME.fullmatch(found) is None:
        raise ValueError("Name a record such as _emailcheck.example.com.")
    text = text.strip()
    if not text.isprintable() or not 0 < len(text) <= LONGEST:
        raise ValueError(f"A text has 1 to {LONGEST:,} characters on one line.")
    return TextRecord(found, text)


def _read_records(file: Path) -> Iterator[TextRecord]:
    """The stored records; none where the file is missing or was damaged."""
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        yield from [_parse_record(name, text) for name, text in stored]
    except (OSError, ValueError, TypeError, AttributeError):
        return
