"""Reading lists of all forms, keeping lines in order, telling how far a run is."""

import io
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from validation.engine.cli.list_reader import ReadAhead, read_addresses
from validation.engine.cli.ordered_spool import OrderedSpool
from validation.engine.cli.progress import Progress


def _read(data: bytes) -> list[str]:
    return list(read_addresses(io.BufferedReader(io.BytesIO(data))))


@pytest.mark.parametrize(
    "text",
    [
        "a@x.com\nb@y.com\n",
        "email\na@x.com\n\n b@y.com \r\n",
        "a@x.com\rb@y.com",
        "name,Email\nAnn,a@x.com\nBob,b@y.com\n",
        "Ann,a@x.com\nBob,b@y.com\n",
        "a@x.com;Ann\nb@y.com;Bob\n",
        'id\te-mail\n1\t"a@x.com"\n2\tb@y.com\n',
        'note,email\n"two\nlines, one cell",a@x.com\n,b@y.com\n',
        'note,email\n5" screen,a@x.com\n,b@y.com\n',
        "name|email|note\nAnn|a@x.com|\nBob|b@y.com\n",
        "first,second\n,\nAnn,a@x.com\nBob,b@y.com\n"[14:],
    ],
)
def test_lists_of_all_forms(text: str) -> None:
    assert _read(text.encode()) == ["a@x.com", "b@y.com"]
    assert _read(b"\xef\xbb\xbf" + text.encode()) == ["a@x.com", "b@y.com"]
    assert _read(text.encode("utf-16")) == ["a@x.com", "b@y.com"]


def test_a_quoted_local_part_with_a_comma_is_no_csv() -> None:
    assert _read(b'"a,b"@x.com\nc@y.com\n') == ['"a,b"@x.com', "c@y.com"]


def test_an_empty_list() -> None:
    assert _read(b"") == []
    assert _read(b"\n \n\n") == []
    assert _read(b",,\n") == []


def test_a_quote_that_never_closes_swallows_nothing() -> None:
    rows = [f"n{number},u{number}@x.com" for number in range(200)]
    rows[3] = '"open,u3@x.com'
    assert _read("\n".join(["name,email", *rows]).encode()) == [f"u{number}@x.com" for number in range(200)]


def test_bytes_that_are_no_text() -> None:
    assert _read(b"\xff\xe9@x.com\nb@y.com\x00\n") == ["\ufffd\ufffd@x.com", "b@y.com\x00"]
    noise = random.Random(3).randbytes(20_000)
    assert all(cell == cell.strip() != "" for cell in _read(noise))


def test_a_line_without_end_is_cut() -> None:
    cells = _read(b"x" * 1_000_000 + b"\na@x.com\n")
    assert [len(cell) for cell in cells] == [65_536, 7]


async def test_reading_ahead_stops_a_bounded_way_ahead() -> None:
    read = 0

    def source() -> Iterator[str]:
        nonlocal read
        for number in range(20_000):
            read += 1
            yield f"u{number}@x.com"

    ahead = ReadAhead(source())
    taken: list[str] = []
    async for address in ahead:
        assert read <= len(taken) + 2 * 4_096 + 1
        taken.append(address)
    assert taken == [f"u{number}@x.com" for number in range(20_000)]


async def test_reading_trouble_comes_after_what_was_read() -> None:
    def source() -> Iterator[str]:
        yield "a@x.com"
        raise OSError("the disk is gone")

    arrivals = aiter(ReadAhead(source()))
    assert await anext(arrivals) == "a@x.com"
    with pytest.raises(OSError, match="the disk is gone"):
        await anext(arrivals)


@pytest.mark.parametrize("memory", [0, 300, 10**6])
def test_lines_come_out_in_order_whatever_the_memory(memory: int) -> None:
    order = list(range(3_000))
    random.Random(1).shuffle(order)
    out: list[bytes] = []
    with OrderedSpool(memory) as lines:
        for index in order:
            lines.put(index, b"%d %s\n" % (index, b"x" * (index % 50)))
            out += lines.due()
        assert lines.waiting == 0
    assert out == [b"%d %s\n" % (index, b"x" * (index % 50)) for index in range(3_000)]


def test_one_slow_line_holds_the_others_on_disk() -> None:
    with OrderedSpool(memory=1_000) as lines:
        for index in range(1, 200_000):
            lines.put(index, b"line %d\n" % index)
        assert list(lines.due()) == []
        assert lines.waiting == 199_999
        lines.put(0, b"line 0\n")
        assert list(lines.due()) == [b"line %d\n" % index for index in range(200_000)]
        lines.put(200_000, b"last\n")
        assert list(lines.due()) == [b"last\n"]


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with OrderedSpool(memory=0) as lines:
        lines.put(1, b"later")
        assert (lines.waiting, list(tmp_path.iterdir())) == (1, [])


@pytest.mark.parametrize("memory", [0, 10**6])
def test_the_rest_leaves_gaps_out(memory: int) -> None:
    with OrderedSpool(memory) as lines:
        for index in (5, 1, 3):
            lines.put(index, b"%d" % index)
        assert list(lines.rest()) == [b"1", b"3", b"5"]
        assert lines.waiting == 0


@pytest.mark.parametrize(
    ("done", "total", "seconds", "line"),
    [
        (0, None, 0.0, "0 addresses, 0/s"),
        (500, None, 2.0, "500 addresses, 250/s"),
        (25_000, 100_000, 10.0, "25,000 of 100,000 addresses, 2,500/s, 30 s left"),
        (1_000, 1_000_000, 10.0, "1,000 of 1,000,000 addresses, 100/s, 2.8 h left"),
        (10, 10, 1.0, "10 of 10 addresses, 10/s"),
    ],
)
def test_how_far_a_run_is(done: int, total: int | None, seconds: float, line: str) -> None:
    progress = Progress(io.StringIO(), total, shown=True)
    progress.done = done
    assert progress.line(seconds) == line
