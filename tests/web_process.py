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
    client = Client()  # of which each makes all middleware anew

    def status(credential: str) -> int:
        answer = client.get("/api/v1/validate/batches", headers={"Authorization": f"Bearer {credential}"})
        return int(answer.status_code)

    with ThreadPoolExecutor(16) as pool:
        assert [status("nonsense"), pool.submit(status, "nonsense").result()] == [401, 401]
        Path(f"{go}.{os.getpid()}").touch()
        while not Path(go).exists():
            time.sleep(0.01)
        statuses = list(pool.map(lambda _: status(key), range(int(count))))
    assert set(statuses) <= {200, 429}
    sys.stdout.write(str(statuses.count(200)))


if __name__ == "__main__":
    main(*sys.argv[1:])
