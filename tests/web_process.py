"""A process of the web server that makes calls to itself: for tests of what processes share.

    DJANGO_SETTINGS_MODULE=emailcheck.settings python -m tests.web_process KEY COUNT GO

Waits until the file GO is there, makes COUNT calls with the key, sixteen at once, and prints how many passed.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import django
from django.test import Client


def main(key: str, count: str, go: str) -> None:
    django.setup()
    with ThreadPoolExecutor(16) as pool:
        warm = [pool.submit(_status, "nonsense") for _ in range(2)]
        assert {one.result() for one in warm} == {401}
        Path(f"{go}.{os.getpid()}").touch()
        while not Path(go).exists():
            time.sleep(0.01)
        statuses = list(pool.map(lambda _: _status(key), range(int(count))))
    assert set(statuses) <= {200, 429}
    sys.stdout.write(str(statuses.count(200)))


def _status(key: str) -> int:
    return int(Client().get("/api/v1/credits", headers={"Authorization": f"Bearer {key}"}).status_code)


if __name__ == "__main__":
    main(*sys.argv[1:])
