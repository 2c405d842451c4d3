"""The limited process: reads one request from standard input, confines itself, reads one list.

The request is a JSON object {want, path, options, limits, spool}. The answer on standard output is
{"shape": ...} or {"error": {code, detail}}; addresses or records go to the file descriptor `spool`
as lines of JSON arrays.
"""

import dataclasses
import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from validation.listfiles.reading import Reading, read_list
from validation.listfiles.shape import Limits, ListFileError, ReadOptions

_LINE_ITEMS = 1_000
_LINE_CHARS = 100_000

_Sized = tuple[object, int]


def main() -> None:
    """Answer the one request on standard input."""
    request = json.load(sys.stdin)
    limits = Limits(**request["limits"])
    _confine(limits)
    json.dump(_answer(request, limits), sys.stdout)


def _answer(request: dict[str, Any], limits: Limits) -> dict[str, object]:
    try:
        reading = read_list(Path(request["path"]), ReadOptions(**request["options"]), limits)
    except ListFileError as error:
        return {"error": {"code": error.code, "detail": error.detail}}
    _spool(request["spool"], _PRODUCTS[request["want"]](reading))
    return {"shape": dataclasses.asdict(reading.shape)}


def _confine(limits: Limits) -> None:
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: limits.memory_bytes,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.spool_bytes,
    }
    for kind, bound in bounds.items():
        resource.setrlimit(kind, (bound, bound))


def _nothing(_reading: Reading) -> Iterator[_Sized]:
    return iter(())


def _addresses(reading: Reading) -> Iterator[_Sized]:
    return ((email, len(email)) for email in reading.addresses())


def _records(reading: Reading) -> Iterator[_Sized]:
    for record in reading.records():
        item = (record.row, record.email, record.cells, record.raw)
        yield item, sum(map(len, record.cells))


_PRODUCTS: dict[str, Callable[[Reading], Iterator[_Sized]]] = {
    "shape": _nothing,
    "addresses": _addresses,
    "records": _records,
}


def _spool(descriptor: int, items: Iterator[_Sized]) -> None:
    """Write items as JSON arrays, a line each, none of them so long that the reader would swell."""
    line: list[object] = []
    chars = 0
    with os.fdopen(descriptor, "w", encoding="utf-8") as spool:
        for item, length in items:
            line.append(item)
            chars += length
            if len(line) >= _LINE_ITEMS or chars >= _LINE_CHARS:
                spool.write(json.dumps(line, ensure_ascii=False) + "\n")
                line, chars = [], 0
        spool.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
