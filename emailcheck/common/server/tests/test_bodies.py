"""Bodies where the disk is short of room; everything else is seen over sockets in `tests/abuse`."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from emailcheck.common.server import bounds
from emailcheck.common.server.answers import Refusal
from emailcheck.common.server.bodies import Body, Disk

MOST = 1_000_000


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """The system writes no longer files (setrlimit(2), EFBIG), as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def make_body(disk: Disk) -> Body:
    return Body(MOST, Refusal.file_too_large(), disk)


def add_and_open(kept: Body, size: int) -> None:
    kept.add(b"x" * size)
    kept.opened()


def test_a_small_body_never_touches_the_disk(tmp_path: Path) -> None:
    kept = make_body(Disk(tmp_path / "nowhere"))
    kept.add(b"x" * bounds.IN_MEMORY)
    assert kept.opened().read() == b"x" * bounds.IN_MEMORY


def test_a_long_body_has_no_name_on_disk_and_comes_back_as_it_was(tmp_path: Path) -> None:
    kept, pieces = make_body(Disk(tmp_path)), [bytes([number]) * 10_000 for number in range(20)]
    for piece in pieces:
        kept.add(piece)
    assert [*tmp_path.iterdir()] == []
    assert kept.opened().read() == b"".join(pieces)
    kept.close()


def test_bodies_have_so_much_room_together_and_give_it_back(tmp_path: Path) -> None:
    disk = Disk(tmp_path, most=50_000)
    first, second = make_body(disk), make_body(disk)
    first.add(b"x" * 30_000)
    with pytest.raises(Refusal) as refused:
        second.add(b"x" * 30_000)
    assert refused.value.error.code == "OVERLOADED"
    second.close()
    first.close()
    third = make_body(disk)
    third.add(b"x" * 50_000)
    third.close()


@pytest.mark.parametrize("last", [4_000, 400_000], ids=["noticed when it is read", "noticed when it is written"])
def test_a_body_that_the_disk_does_not_take_is_refused_as_a_whole(tmp_path: Path, last: int) -> None:
    disk = Disk(tmp_path, most=MOST)
    kept = make_body(disk)
    kept.add(b"x" * 17_000)
    with files_of_at_most(18_000):
        with pytest.raises(Refusal) as refused:
            add_and_open(kept, last)
        kept.close()
    assert refused.value.error.status == 503
    disk.reserve(MOST)
