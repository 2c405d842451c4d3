"""Requests that two readers could read in two ways, heads that are too much, and what HTTP/1.1 asks of a server."""

import json

import pytest

from emailcheck.common.server import bounds
from tests.abuse.sockets import HOST, Caller, visit
from tests.stack import Stack

pytestmark = pytest.mark.xdist_group("abuse")
POST = f"POST /api/auth/login HTTP/1.1\r\n{HOST}"
GET = f"GET /robots.txt HTTP/1.1\r\n{HOST}"
AMBIGUOUS = {
    "length and chunks": f"{POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": f"{POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": f"{POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}",
    "the same length twice": f"{POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}",
    "a list of lengths": f"{POST}Content-Length: 2, 2\r\n\r\n{{}}",
    "a signed length": f"{POST}Content-Length: +2\r\n\r\n{{}}",
    "a negative length": f"{POST}Content-Length: -1\r\n\r\n",
    "an unknown coding": f"{POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "a coding that is none": f"{POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two codings": f"{POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP/1.0": f"POST / HTTP/1.0\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a blank before the colon": f"{POST}Content-Length : 2\r\n\r\n{{}}",
    "a folded line": f"{GET}X-One: 1\r\n folded: 2\r\n\r\n",
    "a bare line feed": f"GET / HTTP/1.1\n{HOST}\r\n",
    "a chunk of no size": f"{POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
    "no host": "GET / HTTP/1.1\r\n\r\n",
    "two hosts": f"GET / HTTP/1.1\r\n{HOST}Host: example.com\r\n\r\n",
    "a NUL": f"{GET}X-One: a\0b\r\n\r\n",
    "no HTTP": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n",
    "another version": f"GET / HTTP/3.0\r\n{HOST}\r\n",
    "something else expected": f"{POST}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{{}}",
    "no path": f"CONNECT example.com:443 HTTP/1.1\r\n{HOST}\r\n",
}


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_what_could_be_read_in_two_ways_is_refused_and_nothing_after_it_is_read(stack: Stack, sent: str) -> None:
    caller = Caller(stack.port)
    refused = caller.ask(f"{sent}GET /robots.txt HTTP/1.1\r\n{HOST}\r\n")
    said = json.loads(refused.body)
    assert (refused.status, said["code"], refused.headers["connection"]) == (400, "VALIDATION_ERROR", "close")
    assert refused.headers["x-request-id"] == said["request_id"]
    assert caller.rest == b""
    caller.close()


@pytest.mark.parametrize(
    "sent",
    [
        f"GET /?{'x' * bounds.URL_MOST} HTTP/1.1\r\n{HOST}\r\n",
        f"{GET}X-Long: {'x' * bounds.HEAD_MOST}\r\n\r\n",
        f"{GET}{'X-One: 1' + chr(13) + chr(10)}" * 1 + ("X-One: 1\r\n" * bounds.HEADERS_MOST) + "\r\n",
        f"{GET}X-Unfinished: {'x' * 1_000_000}",
    ],
    ids=["address", "a long header", "many headers", "a header without end"],
)
def test_a_head_that_is_too_much_is_refused(stack: Stack, sent: str) -> None:
    refused = visit(stack.port, sent)
    assert (refused.status, json.loads(refused.body)["code"]) == (431, "HEADERS_TOO_LARGE")


def test_requests_in_one_go_are_answered_in_their_order(stack: Stack) -> None:
    caller = Caller(stack.port)
    caller.send(
        f"{GET}\r\n" + f"GET /api/plans HTTP/1.1\r\n{HOST}\r\n" + f"{POST}Content-Length: 2\r\n\r\n{{}}" + f"{GET}\r\n"
    )
    answers = [caller.read() for _ in range(4)]
    assert [answer.status for answer in answers] == [200, 200, 415, 200]
    assert answers[0].body == answers[3].body != answers[1].body
    caller.close()


def test_a_head_is_answered_without_a_body(stack: Stack) -> None:
    caller = Caller(stack.port)
    caller.send(f"HEAD /robots.txt HTTP/1.1\r\n{HOST}\r\n{GET}\r\n")
    heads = caller.connection.recv(1 << 20)
    while heads.count(b"\r\n\r\n") < 2:
        heads += caller.connection.recv(1 << 20)
    first, _, second = heads.partition(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200 OK")
    assert second.startswith(b"HTTP/1.1 200 OK")
    assert int(first.lower().partition(b"content-length: ")[2].split()[0]) > 0
    caller.close()


def test_a_body_is_asked_for_when_its_sender_waits_for_that(stack: Stack) -> None:
    caller = Caller(stack.port)
    assert caller.ask(f"{POST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n").status == 100
    assert caller.ask("{}").status == 415
    caller.close()


def test_an_older_client_gets_one_answer_and_the_end(stack: Stack) -> None:
    caller = Caller(stack.port)
    answer = caller.ask(f"GET /robots.txt HTTP/1.0\r\n{HOST}\r\n")
    assert (answer.status, answer.headers["connection"]) == (200, "close")
    assert caller.is_ended(within=5)
    caller.close()


def test_a_header_with_an_underscore_does_not_pass_for_one_with_a_hyphen(stack: Stack) -> None:
    own = visit(stack.port, f"{GET}X_Request_Id: from-the-caller\r\n\r\n").headers["x-request-id"]
    assert own != "from-the-caller"
    assert visit(stack.port, f"{GET}X-Request-Id: from-the-caller\r\n\r\n").headers["x-request-id"] == "from-the-caller"
