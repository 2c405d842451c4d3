"""The limited process of `listfiles` that also sorts the addresses, so that a web process never holds a long list."""

import dataclasses
from array import array
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii as encode_text
from pathlib import Path
from typing import Any

from validation.batches.intake.addresses import sort_rows
from validation.batches.intake.cells import CellReader
from validation.batches.intake.choices import parse_choices
from validation.batches.intake.operators import count_operators
from validation.listfiles import ReadOptions
from validation.listfiles.child import Request, serve_request
from validation.listfiles.list_reader import read_list


def write_chunks(request: Request) -> dict[str, Any]:
    """Write what is to be reviewed, then the list in chunks, each as a line. Returns how the file was read, and the
    counts.

    Findings are objects of JSON and chunks are lists, so that a reader tells them apart by the first byte.
    """
    ask = request.ask
    options, choices = ReadOptions(**ask["options"]), parse_choices(ask["choices"])
    reading = read_list(request.path, options, request.limits)
    write = request.spool.write
    intake = sort_rows(
        reading.cells(),
        CellReader(choices, protected=True),
        columns=reading.shape.email_columns,
        max_credits=ask["max_credits"],
        free=_read_positions(ask["free"]),
        after=ask["after"],
        note=lambda finding: write(finding.encode()),
    )
    for finding in intake.list_suggestions():
        intake.found.suggestions += 1
        write(finding.encode())
    content = intake.begin_hash()
    for chunk in intake.chunks(ask["chunk_rows"]):
        positions, addresses = zip(*chunk, strict=True)
        write(_encode_chunk(positions, addresses))
        content.add(addresses)
    return {
        "shape": dataclasses.asdict(reading.shape),
        "counts": {
            "rows": intake.rows,
            "possible": intake.possible,
            "bad_syntax": len(intake.impossible),
            "duplicates": intake.duplicates,
            "blank": intake.blank,
            "cut_at": intake.cut_at,
            "rest": None if intake.cut_at is None else dataclasses.asdict(intake.rest),
            "content_hash": content.finish(),
        },
        "findings": intake.found.as_json() | {"by_column": intake.by_column},
        "operators": count_operators(intake.domains()),
    }


def _encode_chunk(positions: Sequence[int], addresses: Sequence[str]) -> str:
    """The pairs as `json.dumps` has them, for half the time."""
    pairs = zip(positions, map(encode_text, addresses), strict=True)
    rows = ", ".join([f"[{position}, {address}]" for position, address in pairs])
    return f"[{rows}]\n"


def _read_positions(path: str) -> frozenset[int]:
    """The positions in a file of 32-bit numbers."""
    return frozenset(array("I", Path(path).read_bytes()))


if __name__ == "__main__":
    serve_request({"chunks": write_chunks})
