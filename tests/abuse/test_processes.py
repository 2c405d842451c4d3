"""Processes of the web server: who dies is replaced, and who is told to end finishes what is under way."""

import json
import os
import signal
import time

import psutil
import pytest

from tests.abuse.sockets import Caller
from tests.abuse.test_bounds import SLOW_DOMAIN, check, connects
from tests.stack import Stack, wait_until

pytestmark = pytest.mark.xdist_group("abuse")


def parent_of(stack: Stack) -> psutil.Process:
    """The process of the server that starts the others."""
    found = [psutil.Process(pid) for pid in stack.processes("serve_web")]
    return next(one for one in found if one.ppid() not in {other.pid for other in found})


def test_a_process_that_is_killed_is_replaced(stack: Stack) -> None:
    parent = parent_of(stack)
    (child,) = parent.children()
    child.send_signal(signal.SIGKILL)
    wait_until(lambda: [one.pid for one in parent.children()] not in ([], [child.pid]), 20)
    assert connects(stack, "127.0.0.5") == 200
    assert len(parent.children()) == 1


def test_the_processes_do_not_outlive_their_parent(stack: Stack) -> None:
    parent = parent_of(stack)
    (child,) = parent.children()
    os.kill(parent.pid, signal.SIGKILL)
    wait_until(lambda: not psutil.pid_exists(child.pid), 20)
    wait_until(lambda: is_up(stack), 60)
    assert parent_of(stack).pid != parent.pid


def test_what_is_under_way_ends_before_the_server_does(stack: Stack, bearer: str) -> None:
    caller, kept = Caller(stack.port), Caller(stack.port)
    caller.send(check(f"drained@{SLOW_DOMAIN}", bearer, f"drained-{time.time_ns()}"))
    parent = parent_of(stack)
    wait_until(lambda: connects(stack, "127.0.0.5") == 200, 20)  # so the check is under way
    parent.terminate()
    assert kept.is_ended(within=5)
    answer = caller.read()
    assert (answer.status, answer.headers["connection"]) == (200, "close")
    assert json.loads(answer.body)["email"] == f"drained@{SLOW_DOMAIN}"
    wait_until(lambda: not parent.is_running(), 20)
    wait_until(lambda: is_up(stack), 60)
    caller.close()
    kept.close()


def is_up(stack: Stack) -> bool:
    try:
        return connects(stack, "127.0.0.5") == 200
    except ConnectionError:
        return False
