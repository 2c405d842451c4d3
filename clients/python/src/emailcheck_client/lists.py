"""What a list goes through: waited for, read to its end, saved."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from itertools import count
from pathlib import Path
from typing import IO, Any, TypeVar

import httpx

from emailcheck_client import exchange as calls
from emailcheck_client.answers import Progress, Verdict
from emailcheck_client.errors import (
    BadAnswer,
    BadUsage,
    FileTooLarge,
    JobCancelled,
    JobFailed,
    JobPaused,
    NetworkFailed,
)
from emailcheck_client.words import Status

MOST_BYTES = 10 * 1024 * 1024
_FIRST_POLL_S, _LONGEST_POLL_S = 0.5, 10.0
_ENDED = (Status.COMPLETED, Status.FAILED, Status.CANCELLED)
T = TypeVar("T")
OnProgress = Callable[[Progress], object]
Take = Callable[[bytes], list[T]]
Source = str | os.PathLike[str] | IO[Any] | tuple[str, bytes]
Pages = AsyncGenerator[list[T], None]


def read_file(source: Source) -> tuple[str, bytes]:
    """The name and the content of a path, an open file, or both. Raises `BadUsage`, `FileTooLarge`, before any call."""
    if isinstance(source, tuple):
        return source
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if not path.is_file():
            raise BadUsage(f"{path} is a directory." if path.is_dir() else f"There is no file {path}.")
        if path.stat().st_size > MOST_BYTES:
            raise FileTooLarge(f"{path} is larger than 10 MB. Split it.", code="FILE_TOO_LARGE")
        found: Any = path.read_bytes()
    else:
        path, found = Path(str(getattr(source, "name", "list.csv"))), source.read()
    content = found.encode() if isinstance(found, str) else bytes(found)
    if not content.strip():
        raise BadUsage(f"{path} is empty.")
    return path.name, content


def ask_status(job_id: str) -> calls.Call:
    """The call for how far a list is."""
    return calls.get(f"validate/batch/{job_id}/status")


async def poll(connection: calls.Connection, job_id: str, on_progress: OnProgress | None = None) -> Progress:
    """The list once it has ended. Raises `JobPaused`."""
    for polled in count():
        response = await calls.exchange(connection, ask_status(job_id))
        now = Progress.parse(calls.parse_object(response))
        if on_progress is not None:
            on_progress(now)
        if now.status in _ENDED:
            return now
        if now.status == Status.PAUSED:
            raise JobPaused(f"The list {job_id} is paused. {now.error or 'Go on with it in the dashboard.'}", job=now)
        usual = min(_FIRST_POLL_S * 1.5 ** min(polled, 20), _LONGEST_POLL_S)
        await connection.sleep(min(calls.parse_retry_after(response) or usual, calls.LONGEST_WAIT_S))
    raise AssertionError("unreachable")


def require_completed(job: Progress) -> Progress:
    """The list, if it was checked to its end. Raises `JobFailed`, `JobCancelled`."""
    if job.status == Status.FAILED:
        raise JobFailed(f"The list {job.id} has failed. {job.error or ''}".rstrip(), job=job)
    if job.status == Status.CANCELLED:
        raise JobCancelled(f"The list {job.id} was cancelled.", job=job)
    return job


async def read_results(
    connection: calls.Connection, job_id: str, after_row: int, decision: str | None, on_progress: OnProgress | None
) -> Pages[Verdict]:
    """The verdicts of a list behind a row, in its order, once it has ended. Raises `JobFailed`, `JobCancelled` behind
    the last of them, `JobPaused` before the first."""
    job = await poll(connection, job_id, on_progress)
    place = _Place(after_row)

    def begin() -> calls.Call:
        path, row = f"validate/batch/{job_id}/results", place.begin()
        return calls.get(path, "application/x-ndjson", after_row=row or None, decision=decision)

    stream = _read_stream(connection, begin, place.pass_piece, lambda: not place.rest)
    async with aclosing(stream):
        async for verdicts in stream:
            yield verdicts
    require_completed(job)


async def save_export(connection: calls.Connection, job_id: str, target: Path, format: str, filter: str | None) -> Path:
    """Write a list that has ended to a file, which appears once it is complete. Raises as `read_results`."""
    job = await poll(connection, job_id)
    part = target.with_name(f"{target.name}.part")
    try:
        with part.open("wb") as file:

            def begin() -> calls.Call:
                file.truncate(file.seek(0))
                return calls.get(f"validate/batch/{job_id}/export", "*/*", format=format, segment=filter)

            async for _ in _read_stream(connection, begin, lambda piece: [file.write(piece)][:0], lambda: True):
                pass
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    require_completed(job)
    return target


async def _read_stream(
    connection: calls.Connection,
    begin: Callable[[], calls.Call],
    take: Callable[[bytes], list[T]],
    is_whole: Callable[[], bool],
) -> Pages[T]:
    """What `take` makes of the pieces of a stream, which is opened anew where it breaks: a try, unless `take` had
    something new since the last one."""
    tried = 0
    while True:
        response = await calls.exchange(connection, begin(), opens=True)
        error = NetworkFailed("The answer ended in the middle of a line.")
        try:
            async for piece in connection.read_pieces(response):
                if items := take(piece):
                    tried = 0
                    yield items
            if is_whole():
                return
        except httpx.RequestError as failure:
            error = calls.build_network_error(failure)
        finally:
            await connection.close(response)
        if tried >= connection.max_retries:
            raise error
        await connection.sleep(calls.choose_wait(tried))
        tried += 1


class _Place:
    """Where a stream of results is. A row may have several results, so that its number alone does not say it."""

    def __init__(self, row: int) -> None:
        self.row, self.of_row, self.repeated, self.rest = row, 0, 0, b""

    def begin(self) -> int:
        """The row behind which to begin so that nothing is left out; what comes a second time is passed over."""
        self.repeated, self.rest = self.of_row, b""
        return self.row - 1 if self.of_row else self.row

    def pass_piece(self, piece: bytes) -> list[Verdict]:
        """The verdicts that are complete and new with this piece of the stream. Raises `BadAnswer`."""
        *lines, self.rest = (self.rest + piece).split(b"\n")
        new = lines[self.repeated :]
        self.repeated -= len(lines) - len(new)
        return [self._pass_line(line) for line in new]

    def _pass_line(self, line: bytes) -> Verdict:
        try:
            verdict = Verdict.parse(json.loads(line))
        except (ValueError, AttributeError) as error:
            raise BadAnswer(f"Not a result: {line[:200].decode(errors='replace')}") from error
        self.of_row = self.of_row + 1 if verdict.row == self.row else 1
        self.row = verdict.row
        return verdict
