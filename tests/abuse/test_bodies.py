"""Bodies without a length, longer than they may be, and of another length than they say."""

import json
import time
from pathlib import Path

import pytest
from django.conf import settings

from emailcheck.common.server import bounds
from tests.abuse.sockets import HOST, Answer, Caller, visit
from tests.stack import Stack

pytestmark = pytest.mark.xdist_group("abuse")
LIST = Path(__file__).parents[2] / "samples" / "customers-200.csv"
ROWS = 194
FORM = "Content-Type: multipart/form-data; boundary=edge\r\n"
MOST = settings.MAX_UPLOAD_BYTES


def form(content: bytes) -> bytes:
    head = (
        b'--edge\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n'
    )
    return head + content + b"\r\n--edge--\r\n"


def chunked(body: bytes, size: int = 50_000) -> bytes:
    pieces = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def head(path: str, *lines: str) -> bytes:
    return f"POST {path} HTTP/1.1\r\n{HOST}{''.join(lines)}\r\n".encode()


def code(answer: Answer) -> tuple[int, str]:
    return answer.status, json.loads(answer.body)["code"]


def batches(stack: Stack) -> int:
    total: int = stack.get("/api/validate/batches")["total"]
    return total


CHUNKED = "Transfer-Encoding: chunked\r\n"
UPLOAD = "/api/validate/upload"


@pytest.mark.finding("C4")
@pytest.mark.parametrize("size", [17, 50_000])
def test_a_file_without_a_length_is_read_like_any_other(stack: Stack, bearer: str, size: int) -> None:
    sent = head(UPLOAD, bearer, FORM, CHUNKED) + chunked(form(LIST.read_bytes()), size)
    answer = visit(stack.port, sent)
    assert answer.status == 202
    batch = stack.get(f"/api/validate/batch/{json.loads(answer.body)['batch_id']}")
    assert batch["total_emails"] == ROWS


@pytest.mark.finding("C4")
def test_json_without_a_length_is_read_like_any_other(stack: Stack) -> None:
    body = json.dumps({"email": "alice@alder-and-ash.com", "password": "sandbox-2026"}).encode()
    answer = visit(
        stack.port, head("/api/auth/login", "Content-Type: application/json\r\n", CHUNKED) + chunked(body, 7)
    )
    assert answer.status == 200
    assert json.loads(answer.body)["user"]["email"] == "alice@alder-and-ash.com"


@pytest.mark.finding("C4")
@pytest.mark.parametrize(
    ("kind", "wanted"), [(FORM, "FILE_TOO_LARGE"), ("Content-Type: application/json\r\n", "REQUEST_TOO_LARGE")]
)
def test_a_body_without_a_length_is_read_up_to_its_bound(stack: Stack, bearer: str, kind: str, wanted: str) -> None:
    before = batches(stack)
    sent = head(UPLOAD, bearer, kind, CHUNKED) + chunked(form(b"a@b.com\n" * (MOST // 8 + 10_000)))
    assert code(visit(stack.port, sent)) == (413, wanted)
    assert batches(stack) == before


@pytest.mark.finding("C4")
@pytest.mark.parametrize("ending", [b"", b"1;" + b"x" * 200_000, b"0\r\nTrailer: " + b"x" * 200_000])
def test_a_body_of_frames_alone_is_refused(stack: Stack, bearer: str, ending: bytes) -> None:
    caller = Caller(stack.port)
    caller.send(head(UPLOAD, bearer, FORM, CHUNKED))
    caller.send(b"1\r\nx\r\n" + (ending or b"zz\r\n"))
    if ending:
        caller.send(b"y" * 200_000)
    assert code(caller.read()) == (400, "VALIDATION_ERROR")
    caller.close()


@pytest.mark.finding("C1")
@pytest.mark.parametrize("path", [UPLOAD, "/api/auth/login", "/nowhere"])
def test_fifty_megabytes_are_refused_before_they_are_sent(stack: Stack, bearer: str, path: str) -> None:
    caller = Caller(stack.port)
    refused = caller.ask(head(path, bearer, FORM, "Content-Length: 52428800\r\n"))
    assert code(refused) == (413, "FILE_TOO_LARGE")
    assert refused.seconds < 5
    assert caller.is_ended(within=bounds.LINGER_S + 5)
    caller.close()


def send_until_refused(caller: Caller) -> int:
    """Send on until the connection is cut, or a gigabyte is gone; how much was."""
    sent, piece = 0, b"x" * 65_536
    try:
        while sent < 1 << 30:
            caller.send(piece)
            sent += len(piece)
    except ConnectionError:
        return sent
    return sent


@pytest.mark.finding("C1")
def test_what_is_sent_after_a_refusal_is_not_read_for_ever(stack: Stack, bearer: str) -> None:
    caller = Caller(stack.port)
    caller.send(head(UPLOAD, bearer, FORM, "Content-Length: 5242880000\r\n"))
    begun = time.monotonic()
    sent = send_until_refused(caller)
    assert time.monotonic() - begun < bounds.LINGER_S + 5
    assert sent < 2 * bounds.LINGER_MOST
    caller.close()


def test_a_file_of_the_largest_size_is_read_and_one_octet_more_is_not(stack: Stack, bearer: str) -> None:
    for content, wanted in ((b"\n" * MOST, (400, "TOO_MANY_ROWS")), (b"\n" * (MOST + 1), (413, "FILE_TOO_LARGE"))):
        sent = form(content)
        length = f"Content-Length: {len(sent)}\r\n"
        assert code(visit(stack.port, head("/api/validate/upload/inspect", bearer, FORM, length) + sent)) == wanted


@pytest.mark.parametrize("announced", [100, 10**6])
def test_a_body_of_another_length_than_it_says_stores_nothing(stack: Stack, bearer: str, announced: int) -> None:
    """Shorter: the rest is no request. Longer: the caller goes before it is there."""
    before = batches(stack)
    caller = Caller(stack.port)
    caller.send(head(UPLOAD, bearer, FORM, f"Content-Length: {announced}\r\n") + form(LIST.read_bytes()))
    if announced == 100:
        assert caller.read().status == 400
    caller.close()
    assert visit(stack.port).status == 200
    assert batches(stack) == before
