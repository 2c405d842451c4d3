"""Who asks after a process is answered whoever they are, and whatever else there is to do."""

import json

import pytest

from tests.abuse.sockets import HOST, Answer, visit
from tests.abuse.test_bounds import checks_that_wait
from tests.stack import Stack, wait_until

pytestmark = pytest.mark.xdist_group("abuse")
READY = {"ready": True, "not_ready": [], "degraded": []}


def ask(stack: Stack, path: str, method: str = "GET", host: str = "Host: 10.0.0.7:8443\r\n") -> Answer:
    return visit(stack.port, f"{method} {path} HTTP/1.1\r\n{host}\r\n")


def count_requests(stack: Stack) -> float:
    lines = stack.client.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("emailcheck_requests_total"))


@pytest.mark.spec("SCA-003")
def test_a_balancer_is_answered_by_any_name_and_nothing_is_counted(stack: Stack) -> None:
    stack.client.get("/robots.txt")
    before = count_requests(stack)
    live, ready = [[ask(stack, path) for _ in range(20)][-1] for path in ("/livez", "/readyz?from=balancer")]
    assert [(one.status, json.loads(one.body)) for one in (live, ready)] == [(200, {"live": True}), (200, READY)]
    assert not {"location", "set-cookie", "ratelimit", "x-request-id"} & {*live.headers, *ready.headers}
    assert (ready.headers["cache-control"], ready.headers["content-type"]) == ("no-store", "application/json")
    assert 0 < before <= count_requests(stack) < before + 20


@pytest.mark.spec("SCA-003")
def test_a_head_is_answered_without_a_body_and_other_methods_find_nothing(stack: Stack) -> None:
    head = stack.client.head("/readyz")
    assert (head.status_code, head.content) == (200, b"")
    assert [ask(stack, path, "DELETE", HOST).status for path in ("/livez", "/readyz")] == [404, 404]


@pytest.mark.spec("SCA-003")
def test_it_is_answered_while_no_thread_is_free(stack: Stack, bearer: str) -> None:
    slow = f"GET /api/credits HTTP/1.1\r\n{HOST}{bearer}\r\n"
    with checks_that_wait(stack, bearer, 4):
        wait_until(lambda: visit(stack.port, slow).status == 200, 20)
        found = [ask(stack, path) for path in ("/livez", "/readyz")]
    assert [one.status for one in found] == [200, 200]
