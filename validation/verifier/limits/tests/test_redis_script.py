"""The connection to Redis, when there is nobody at its other end."""

import socket
import struct
import threading
from contextlib import suppress

import pytest
import uvloop

from validation.verifier.limits.redis_script import RedisCalls, RedisUnavailable


@pytest.mark.spec("SCA-004")
def test_a_redis_that_resets_every_connection_is_one_that_does_not_answer() -> None:
    """On the loop of the product, which says so in another way when a connection ends before it is written to."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        threading.Thread(target=_reset_each, args=(listener,), daemon=True).start()
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"

        async def ask_often() -> list[type[Exception]]:
            found = []
            for _ in range(200):
                calls = RedisCalls(url, 1.0, {"process": "a"})
                try:
                    await calls.exchange([])
                except Exception as error:
                    found.append(type(error))
                await calls.aclose()
            return found

        assert uvloop.run(ask_often()) == [RedisUnavailable] * 200


def _reset_each(listener: socket.socket) -> None:
    with suppress(OSError):  # when the test closes it
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
