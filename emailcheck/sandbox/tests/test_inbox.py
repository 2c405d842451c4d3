"""The receiver of webhooks: over real TLS behind the SOCKS port, its boxes and what they show."""

import asyncio
import ssl
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Any

import httpx2
import pytest
from standardwebhooks import Webhook

from emailcheck.sandbox import Sandbox
from emailcheck.sandbox.receiver.host_names import ADDRESSES, HOST
from emailcheck.sandbox.receiver.inbox import Delivery, Mode

JSON = {"Accept": "application/json"}
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


async def post(sandbox: Sandbox, path: str, body: str, **headers: str) -> bytes:
    """What the receiver answers to a request, up to 100,000 bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.socks_port)
    writer.write(b"\x05\x01\x00")
    assert await reader.readexactly(2) == b"\x05\x00"
    writer.write(b"\x05\x01\x00\x01" + ip_address(ADDRESSES[0]).packed + (443).to_bytes(2, "big"))
    assert (await reader.readexactly(10))[1] == 0
    trusted = ssl.create_default_context(cafile=str(sandbox.authority))
    await writer.start_tls(trusted, server_hostname=HOST)
    lines = [f"POST {path} HTTP/1.1", f"Host: {HOST}", f"Content-Length: {len(body.encode())}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", body]).encode())
    answer = b""
    while len(answer) < 100_000 and (some := await reader.read(65_536)):
        answer += some
    writer.close()
    return answer


def shown(answer: httpx2.Response) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer.json()
    return found


async def test_what_is_posted_is_shown_in_its_box(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    assert (await post(sandbox, "/shop/hooks?a=b", '{"event":"é<b>"}', webhook_id="msg_1")).startswith(b"HTTP/1.1 200")
    await post(sandbox, "/other", "{}")
    (one,) = shown(await web.get("/sandbox/inbox", params={"box": "shop"}, headers=JSON))
    assert (one["method"], one["path"], one["body"]) == ("POST", "/shop/hooks?a=b", '{"event":"é<b>"}')
    assert (one["headers"]["webhook-id"], one["signature"]) == ("msg_1", "not checked")
    assert [row["box"] for row in shown(await web.get("/sandbox/inbox", headers=JSON))] == ["other", "shop"]
    page = (await web.get("/sandbox/inbox")).text
    assert "{&#34;event&#34;:&#34;é&lt;b&gt;&#34;}" in page
    assert "<script" not in page
    assert (await web.delete("/sandbox/inbox?box=shop")).status_code == 204
    assert [row["box"] for row in shown(await web.get("/sandbox/inbox", headers=JSON))] == ["other"]


@pytest.mark.parametrize(
    ("mode", "begins"),
    [
        (Mode.OK, b"HTTP/1.1 200 "),
        (Mode.ERROR, b"HTTP/1.1 500 "),
        (Mode.GONE, b"HTTP/1.1 410 "),
        (Mode.LATER, b"HTTP/1.1 503 "),
        (Mode.REDIRECT, b"HTTP/1.1 302 "),
        (Mode.HUGE, b"HTTP/1.1 200 "),
        (Mode.BROKEN, b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"),
    ],
)
async def test_a_box_answers_as_it_is_told(
    sandbox: Sandbox, web: httpx2.AsyncClient, mode: Mode, begins: bytes
) -> None:
    told = await web.post("/sandbox/inbox/box", json={"box": "shop", "mode": mode}, headers=JSON)
    assert told.json() == {"box": "shop", "mode": mode}
    assert (await post(sandbox, "/shop", "{}")).startswith(begins)
    assert (await post(sandbox, "/other", "{}")).startswith(b"HTTP/1.1 200 ")


async def test_a_slow_box_says_nothing(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await web.post("/sandbox/inbox/box", data={"box": "shop", "mode": "slow"})
    waiting = asyncio.ensure_future(post(sandbox, "/shop", "{}"))
    for _ in range(600):
        if sandbox.simulation.inbox.deliveries("shop"):
            break
        await asyncio.wait([waiting], timeout=0.1)
    done, pending = await asyncio.wait([waiting], timeout=0.1)
    assert (done, len(pending), len(sandbox.simulation.inbox.deliveries("shop"))) == (set(), 1, 1)
    waiting.cancel()
    await asyncio.wait([waiting])


async def test_signatures_are_checked_as_the_standard_says(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await web.post("/sandbox/inbox/box", data={"box": "shop", "secret": f" {SECRET} "})
    at, body = "1795330943", '{"a":1}'
    right = Webhook(SECRET).sign("msg_1", datetime.fromtimestamp(int(at), UTC), body)
    for signature in (right, f"v1,AAAA {right}", "v1,AAAA", ""):
        more = {"webhook_signature": signature} if signature else {}
        await post(sandbox, "/shop", body, webhook_id="msg_1", webhook_timestamp=at, **more)
    found: list[Delivery] = sandbox.simulation.inbox.deliveries("shop")
    assert [one.signature for one in found[::-1]] == ["valid", "valid", "wrong", "missing"]


@pytest.mark.parametrize("fields", [{}, {"box": "a/b"}, {"box": "x" * 81}, {"box": "shop", "mode": "sideways"}])
async def test_what_names_no_box_or_answer_is_refused(
    sandbox: Sandbox, web: httpx2.AsyncClient, fields: dict[str, str]
) -> None:
    assert (await web.post("/sandbox/inbox/box", json=fields)).status_code == 400
    assert sandbox.simulation.inbox.box("shop").mode is Mode.OK
