"""The limited process: reads one request from standard input, confines itself, answers it.

The request is a JSON object {want, path, limits, ask, spool}. The response on standard output is {"answer": ...},
{"error": {code, detail}}, or {"full": errno} when the spool has no space. Rows go to the file descriptor `spool` first,
as lines of JSON.
"""

import dataclasses
import errno
import gc
import json
import os
import resource
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from validation.listfiles.list_reader import read_list
from validation.listfiles.shape import Limits, ListFileError, ReadOptions


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """The input of a product; `ask` is the product's own part."""

    path: Path
    limits: Limits
    ask: dict[str, Any]
    spool: TextIO


_LINE_CHARS = 2**16
_FULL = (errno.ENOSPC, errno.EDQUOT)
Product = Callable[[Request], object]
"""Writes rows to the spool and returns the response. Raises `ListFileError`."""


def serve_request(products: Mapping[str, Product]) -> None:
    """Answer the one request on standard input, and end the process."""
    request = json.load(sys.stdin)
    limits = Limits(**request["limits"])
    _limit_resources(limits)
    # The process is short and makes no cycles; looking for them again and again costs a third of its time.
    gc.disable()
    answer: dict[str, object]
    try:
        with os.fdopen(request["spool"], "w", encoding="utf-8") as spool:
            product_request = Request(Path(request["path"]), limits, request["ask"], spool)
            answer = {"answer": products[request["want"]](product_request)}
    except ListFileError as error:
        answer = {"error": {"code": error.code, "detail": error.detail}}
    except OSError as error:
        if error.errno not in _FULL:
            raise
        answer = {"full": error.errno}
    json.dump(answer, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # to take apart what a long list has left costs a twentieth of the whole


def write_rows(spool: TextIO, rows: Iterable[object]) -> None:
    """Write the rows of a product that is streamed, some on a line; the first one goes out before there is another."""
    some: list[str] = []
    size, enough = 0, 0
    for row in rows:
        text = json.dumps(row)
        some.append(text)
        size += len(text)
        if size > enough:
            spool.write(f"[{','.join(some)}]\n")
            spool.flush()
            some.clear()
            size, enough = 0, _LINE_CHARS
    spool.write(f"[{','.join(some)}]\n")


def _limit_resources(limits: Limits) -> None:
    bounds = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: limits.memory_bytes,
        resource.RLIMIT_AS: 2 * limits.memory_bytes,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.spool_bytes,
    }
    for kind, bound in bounds.items():
        resource.setrlimit(kind, (bound, bound))


def describe_shape(request: Request) -> dict[str, Any]:
    """The format and columns of the file."""
    return dataclasses.asdict(read_list(request.path, ReadOptions(**request.ask), request.limits).shape)


if __name__ == "__main__":
    serve_request({"shape": describe_shape})
