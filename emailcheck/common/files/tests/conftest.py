"""A service that speaks S3 over its real protocol."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emailcheck.common.files.tests.s3_service import S3Service


@pytest.fixture(scope="session")
def running_s3() -> Iterator[S3Service]:
    service = S3Service()
    yield service
    service.stop()


@pytest.fixture
def s3(running_s3: S3Service, settings: Any, tmp_path: Path) -> S3Service:
    """The product keeps its files there: in an empty bucket."""
    running_s3.empty()
    settings.VAR_DIR = tmp_path
    settings.FILE_STORES = running_s3.describe_stores()
    settings.STORAGES = {**settings.STORAGES, **settings.FILE_STORES["s3"]}
    return running_s3
