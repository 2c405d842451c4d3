"""A place to put uploads."""

from collections.abc import Callable
from pathlib import Path

import pytest

Upload = Callable[[bytes], Path]


@pytest.fixture
def upload(tmp_path: Path) -> Upload:
    """Store bytes as an upload under a name that tells nothing."""

    def store(data: bytes) -> Path:
        path = tmp_path / f"upload-{len(list(tmp_path.iterdir()))}"
        path.write_bytes(data)
        return path

    return store
