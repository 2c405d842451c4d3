"""How many connections an address may have, and what becomes of more work than can be done."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from emailcheck.common.server import bounds
from tests.abuse.conftest import CONNECTIONS
from tests.abuse.sockets import ABUSER, HOST, LANDING, PROXY, Answer, Caller, flood, many, visit
from tests.stack import Stack, wait_until

pytestmark = pytest.mark.xdist_group("abuse")
SLOW_DOMAIN = "snailgarden.net"
"""Each reply of its mail host takes 0.4 s."""
JSON = "Content-Type: application/json\r\n"
SOON_S = 2.0
"""The bar of a quiet machine is a second (`make bench-abuse`)."""


def connects(stack: Stack, source: str) -> int:
    """The status that a new connection from there gets."""
    return visit(stack.port, f"GET /robots.txt HTTP/1.1\r\n{HOST}\r\n", source).status


@pytest.mark.finding("C1")
def test_an_address_has_so_many_connections_and_others_are_not_affected(stack: Stack) -> None:
    with many(stack.port, CONNECTIONS) as callers:
        one_more = Caller(stack.port, ABUSER)
        refused = one_more.read()
        assert (refused.status, json.loads(refused.body)["code"]) == (429, "RATE_LIMIT_EXCEEDED")
        assert int(refused.headers["retry-after"]) > 0
        one_more.close()
        assert visit(stack.port).status == 200
        callers.pop().close()
        wait_until(lambda: connects(stack, ABUSER) == 200, 5)


def is_told(caller: Caller) -> bool:
    try:
        return caller.read().status == 429
    except ConnectionError:
        return False


@pytest.mark.finding("C1")
def test_who_opens_on_and_on_beyond_the_cap_is_not_even_told(stack: Stack) -> None:
    """A refusal holds its connection for a moment, and those have a cap too."""
    with many(stack.port, CONNECTIONS + bounds.REFUSED_MOST + 20) as callers:
        assert callers[CONNECTIONS].read().status == 429
        assert not all(is_told(caller) for caller in callers[-20:])
        assert visit(stack.port).status == 200


@pytest.mark.finding("C1")
def test_a_trusted_proxy_is_not_counted_as_one_caller(stack: Stack) -> None:
    with many(stack.port, CONNECTIONS + 20, source=PROXY):
        assert visit(stack.port, source=PROXY).status == 200


def check(address: str, bearer: str, key: str) -> str:
    body = json.dumps({"email": address})
    lines = f"{HOST}{bearer}{JSON}Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n"
    return f"POST /api/validate/single HTTP/1.1\r\n{lines}\r\n{body}"


@contextmanager
def checks_that_wait(stack: Stack, bearer: str, count: int) -> Iterator[list[Caller]]:
    """So many checks at once of addresses whose host is slow."""
    callers = [Caller(stack.port) for _ in range(count)]
    for number, caller in enumerate(callers):
        caller.send(check(f"slow-{number}@{SLOW_DOMAIN}", bearer, f"slow-check-{number}-{time.time_ns()}"))
    try:
        yield callers
        with ThreadPoolExecutor(count) as pool:  # until nobody is at work any more
            list(pool.map(lambda caller: caller.read() if not caller.rest else None, callers[:3]))
    finally:
        for caller in callers:
            caller.close()


@pytest.mark.finding("C8")
def test_a_check_that_nobody_can_make_in_time_is_refused_and_changes_nothing(stack: Stack, bearer: str) -> None:
    """Three of four threads are at checks that wait for a host; the fourth is for everybody else."""
    key = f"shed-{time.time_ns()}"
    with checks_that_wait(stack, bearer, 3):
        wait_until(lambda: stack.get("/api/credits")["held"] == 3, 10)
        before = stack.get("/api/credits"), stack.get("/api/validate/batches")["total"]
        refused = visit(stack.port, check("anna.keller@gmail.com", bearer, key))
        assert (refused.status, json.loads(refused.body)["code"]) == (503, "OVERLOADED")
        assert int(refused.headers["retry-after"]) > 0
        assert refused.seconds < SOON_S
        page = visit(stack.port)
        assert (page.status, page.seconds < SOON_S) == (200, True)
        assert (stack.get("/api/credits"), stack.get("/api/validate/batches")["total"]) == before
    again = visit(stack.port, check("anna.keller@gmail.com", bearer, key))
    assert again.status == 200
    assert json.loads(again.body)["category"] == "valid"


@pytest.mark.finding("C8")
def test_beyond_what_can_be_done_calls_are_refused_soon_and_all_is_well_after(stack: Stack, bearer: str) -> None:
    got = flood(stack.port, 250, 4, f"GET /api/credits HTTP/1.1\r\n{HOST}{bearer}\r\n")
    ended = time.monotonic()
    refused = [answer for answer in got if answer.status != 200]
    assert {answer.status for answer in refused} == {503}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in refused)
    assert sorted(answer.seconds for answer in refused)[len(refused) // 2] < SOON_S
    wait_until(lambda: is_well(stack), 5)
    assert time.monotonic() - ended < 5


def is_well(stack: Stack) -> bool:
    """Whether ten pages after another come at once."""
    pages: list[Answer] = [visit(stack.port, LANDING) for _ in range(10)]
    return all(page.status == 200 and page.seconds < 1 for page in pages)


@pytest.mark.finding("C8")
def test_a_browser_is_refused_by_a_page(stack: Stack) -> None:
    """Whatever the server itself refuses: here a form that is too large."""
    lines = f"{HOST}Accept: text/html\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999999\r\n"
    refused = visit(stack.port, f"POST /contact HTTP/1.1\r\n{lines}\r\n")
    page = refused.body.decode()
    assert (refused.status, refused.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "File is too large. Maximum size is 10MB." in page
    nonce = refused.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
    assert f'<style nonce="{nonce}">' in page
