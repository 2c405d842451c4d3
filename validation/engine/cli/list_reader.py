"""Lists of addresses read as they come: one address a line, or a CSV with an e-mail column.

Only the current line is held, so a list may be longer than memory, or be typed by a person. Bytes that are not text
become replacement characters. Overlong lines are cut.
"""

import asyncio
import codecs
import contextlib
import csv
import io
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import chain

from validation.engine.syntax import AddressSyntaxError, parse

_MAX_LINE = 65_536  # characters; what is behind them is skipped
_MAX_RECORD = 50  # lines of one CSV record; a quote that is open longer than that was never meant as one
_DELIMITERS = ",;\t|"
_TITLES = frozenset(
    {"email", "e-mail", "mail", "email address", "e-mail address", "emailaddress", "email_address", "address"}
)
_AHEAD = 4_096  # addresses read before somebody wants them


def read_addresses(source: io.BufferedReader) -> Iterator[str]:
    """The addresses of a list, blanks around them removed, empty lines left out. Raises OSError while iterating."""
    lines = _read_lines(source)
    first = next((line for line in lines if line.strip()), "")
    everything = chain([first], lines)
    delimiter = None if _is_address(first.strip()) else next((mark for mark in _DELIMITERS if mark in first), None)
    cells = (
        _read_plain_list(everything) if delimiter is None else _read_email_column(_read_records(everything, delimiter))
    )
    yield from (cell for cell in cells if cell)


def _read_lines(source: io.BufferedReader) -> Iterator[str]:
    """Text lines of bounded length, in UTF-8 or what the byte order mark says."""
    encoding = "utf-16" if source.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    text = io.TextIOWrapper(source, encoding, errors="replace", newline="")
    try:
        while line := text.readline(_MAX_LINE):
            yield line
            while len(line) == _MAX_LINE and line[-1] not in "\r\n":
                line = text.readline(_MAX_LINE)
    finally:
        if not source.closed:
            text.detach()


def _read_plain_list(lines: Iterable[str]) -> Iterator[str]:
    cells = (line.strip() for line in lines)
    first = next(cells, "")
    return cells if first.lower() in _TITLES else chain([first], cells)


def _read_records(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Records of a CSV (RFC 4180): a quoted cell may hold line ends, a stray quote does not swallow the list."""
    held: list[str] = []
    quotes = 0
    for line in lines:
        held.append(line)
        quotes += line.count('"')
        if quotes % 2 == 0 or len(held) >= _MAX_RECORD:
            yield from _parse_record(held, delimiter)
            held, quotes = [], 0
    yield from _parse_record(held, delimiter)


def _parse_record(lines: list[str], delimiter: str) -> list[list[str]]:
    """One record of some lines where their quotes close, else a record a line."""
    if sum(line.count('"') for line in lines) % 2 == 0:
        with contextlib.suppress(csv.Error):
            return list(csv.reader(lines, delimiter=delimiter))
    if len(lines) > 1:
        return [record for line in lines for record in _parse_record([line], delimiter)]
    return list(csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE))


def _read_email_column(records: Iterator[list[str]]) -> Iterator[str]:
    """The e-mail column, by its title or else by what stands in the first two records."""
    start = [record for record in (next(records, []), next(records, [])) if record]
    titles = [title.strip().lower() for title in start[0]] if start else []
    column = next((index for index, title in enumerate(titles) if title in _TITLES), -1)
    if column >= 0:
        start = start[1:]
    else:
        column = next((index for record in start for index, cell in enumerate(record) if "@" in cell), 0)
        start = start if start and column < len(start[0]) and "@" in start[0][column] else start[1:]
    for record in chain(start, records):
        if len(record) > column:
            yield record[column].strip()


def _is_address(text: str) -> bool:
    try:
        parse(text)
    except AddressSyntaxError:
        return False
    return True


class ReadAhead:
    """The addresses of a list for an event loop: a thread reads ahead, a bounded number of addresses.

    Iterate once. Raises what reading raises, after the addresses read before. Call `close` to leave early.
    """

    def __init__(self, addresses: Iterator[str]) -> None:
        self._addresses = addresses
        self._read: deque[str] = deque()
        self._may_read = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._waiter: asyncio.Future[None] | None = None
        self._trouble: OSError | None = None
        self._ended = False
        self._closed = False

    async def __aiter__(self) -> AsyncIterator[str]:
        # A daemon, because a thread that waits for terminal input cannot be ended.
        threading.Thread(target=self._run, daemon=True).start()
        while True:
            while self._read:
                yield self._read.popleft()
            self._may_read.set()
            self._waiter = self._loop.create_future()
            if not self._read and not self._ended:
                await self._waiter
            self._waiter = None
            if self._ended and not self._read:
                break
        if self._trouble is not None:
            raise self._trouble

    def close(self) -> None:
        """Stop reading as soon as the thread notices."""
        self._closed = True
        self._may_read.set()

    def _run(self) -> None:
        try:
            for address in self._addresses:
                self._read.append(address)
                self._notify_loop()
                if len(self._read) >= _AHEAD:
                    self._may_read.clear()
                    if len(self._read) >= _AHEAD:
                        self._may_read.wait()
                if self._closed:
                    return
        except OSError as error:
            self._trouble = error
        self._ended = True
        self._notify_loop()

    def _notify_loop(self) -> None:
        waiter = self._waiter
        if waiter is not None and not self._closed:
            self._waiter = None
            self._loop.call_soon_threadsafe(_wake_waiter, waiter)


def _wake_waiter(waiter: "asyncio.Future[None]") -> None:
    if not waiter.done():
        waiter.set_result(None)
