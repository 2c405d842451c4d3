"""A place to put uploads; the module-wide limit of `csv` put back after each test."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Upload = Callable[[bytes], Path]


@pytest.fixture(autouse=True)
def _csv_limit() -> Iterator[None]:
    """The reader sets the limit of its own short-lived process; here it is everybody's."""
    before = csv.field_size_limit()
    yield
    csv.field_size_limit(before)


@pytest.fixture
def upload(tmp_path: Path) -> Upload:
    """Store bytes as an upload under a name that tells nothing."""

    def store(data: bytes) -> Path:
        path = tmp_path / f"upload-{len(list(tmp_path.iterdir()))}"
        path.write_bytes(data)
        return path

    return store
