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


def test_a_process_that_is_killed_is_replaced(stack: Stack) -> None:
    killed = stack.members("web")
    os.kill(killed[0], signal.SIGKILL)
    wait_until(lambda: stack.members("web") not in ([], killed), 20)
    assert connects(stack, "127.0.0.5") == 200
    assert len(stack.members("web")) == len(killed) == 1


def test_the_processes_do_not_outlive_their_parent(stack: Stack) -> None:
    (parent,) = stack.parents()
    forked = [one.pid for one in psutil.Process(parent).children()]
    os.kill(parent, signal.SIGKILL)
    wait_until(lambda: not any(psutil.pid_exists(pid) for pid in forked), 20)
    wait_until(lambda: is_up(stack), 60)
    assert parent not in stack.parents()


def test_what_is_under_way_ends_before_its_process_does(stack: Stack, bearer: str) -> None:
    caller, kept = Caller(stack.port), Caller(stack.port)
    caller.send(check(f"drained@{SLOW_DOMAIN}", bearer, f"drained-{time.time_ns()}"))
    (web,) = map(psutil.Process, stack.members("web"))
    wait_until(lambda: connects(stack, "127.0.0.5") == 200, 20)  # so the check is under way
    web.terminate()
    assert kept.is_ended(within=5)
    answer = caller.read()
    assert (answer.status, answer.headers["connection"]) == (200, "close")
    assert json.loads(answer.body)["email"] == f"drained@{SLOW_DOMAIN}"
    wait_until(lambda: not web.is_running(), 20)
    wait_until(lambda: is_up(stack), 60)
    caller.close()
    kept.close()


def is_up(stack: Stack) -> bool:
    try:
        return connects(stack, "127.0.0.5") == 200
    except ConnectionError:
        return False
