"""A family of processes: one parent that has loaded the product, and the members that it forks.

The members share what the parent has loaded. A member that ends is started again, at once unless it fails as soon as it
begins. One that has not shown itself for a minute, beyond its task's time, is killed and started again. What a member
has started ends with it, and no member outlives the parent.
"""

import gc
import logging
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from emailcheck.common.queue.child_processes import die_with_parent, show_name
from emailcheck.common.queue.liveness import FamilyLiveness, Liveness
from emailcheck.common.queue.supervisor import BEAT_EVERY_S, PULSE
from emailcheck.common.shared_state.process_name import set_process_name

log = logging.getLogger(__name__)
SILENT_S: Final = 60.0
_ENDING: Final = frozenset({signal.SIGTERM, signal.SIGINT})
_SIGNALS: Final = (signal.SIGCHLD, *_ENDING)
_TICK_S: Final = 0.25
_LONGEST_WAIT_S: Final = 10.0
_LATE_S: Final = 5.0
"""A look that comes so late: the machine stood still, and its processes with it."""
_QUICK_S: Final = 10.0


def _do_nothing() -> None:
    """What there is to do after the end of most members."""


def _always() -> bool:
    """When most members may start."""
    return True


@dataclass(slots=True)
class Member:
    """One process of a family.

    `run` is called in it. `is_worker`: it is stopped for a restart of the workers. `is_watched`: it shows signs of
    life, and is killed when it does not. It is not started before `may_start`. `on_end` is called in the parent when it
    has ended.
    """

    name: str
    run: Callable[[Liveness], None]
    is_worker: bool = False
    is_watched: bool = True
    may_start: Callable[[], bool] = _always
    on_end: Callable[[], None] = _do_nothing
    pid: int = 0
    start_at: float = 0.0
    kill_at: float = math.inf
    false_starts: int = 0


@dataclass(slots=True)
class Family:
    """The parent's part. `report` gets a sentence for each event, `on_tick` is called a few times a second.

    `on_stop` before the members are told to end.
    `restart_within_s`: how long a worker may take to end its task for a restart; `stop_within_s`: how long every member
    may take to end with the family.
    """

    members: Sequence[Member]
    liveness: FamilyLiveness
    report: Callable[[str], None]
    on_tick: Callable[[], object] = _do_nothing
    on_stop: Callable[[], None] = _do_nothing
    restart_within_s: float = 60.0
    stop_within_s: float = 5.0
    _shown: dict[str, Liveness] = field(default_factory=dict)
    _restart: float = math.nan
    _pulse: Callable[[], None] = _do_nothing
    _beat_at: float = 0.0
    _looked_at: float = 0.0
    _resumed_at: float = -math.inf

    def run(self) -> None:
        """Until SIGTERM or SIGINT, and until every member has ended."""
        gc.collect()
        gc.freeze()
        self._pulse = _join_supervisor()
        self._shown = {one.name: shown for one, shown in zip(self.members, self.liveness.members, strict=True)}
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        while _ENDING.isdisjoint(signal.sigpending()):
            self.watch()
            # What it answers is not read: after SIGCONT it may be a signal that never came.
            signal.sigtimedwait((signal.SIGCHLD,), _TICK_S)
        self._end_all()

    def watch(self) -> None:
        """Once: note who has ended, start who should run, kill who stands still."""
        self._reap()
        now = time.monotonic()
        if self._looked_at and now > self._looked_at + _LATE_S:
            self._resumed_at = now
        self._looked_at = now
        self._beat(now)
        self._follow_restart(now)
        for one in self.members:
            if one.pid:
                self._check(one, now)
            elif now >= one.start_at and one.may_start():
                self._start(one)
        self.on_tick()

    def _beat(self, now: float) -> None:
        if now >= self._beat_at:
            self._pulse()
            self._beat_at = now + BEAT_EVERY_S

    def _reap(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                for one in self.members:
                    if one.pid == ended[0]:
                        self._note_end(one, os.waitstatus_to_exitcode(ended[1]))

    def _note_end(self, one: Member, code: int) -> None:
        """Who fails as soon as it begins, or never shows itself, is started later each time."""
        _kill_group(one.pid)
        shown, now = self._shown[one.name], time.monotonic()
        is_false = (one.is_watched and not shown.seen) or (code > 0 and now < shown.started + _QUICK_S)
        one.false_starts = one.false_starts + 1 if is_false else 0
        wait_s = min(0.25 * 2**one.false_starts, _LONGEST_WAIT_S) if is_false else 0.0
        one.pid, one.start_at, one.kill_at = 0, now + wait_s, math.inf
        one.on_end()
        if code:
            self.report(f"{one.name} ended with {code}; starting it again")

    def _follow_restart(self, now: float) -> None:
        """Have the workers end their task when a restart was requested since the family was born."""
        wanted = self.liveness.restart
        if math.isnan(wanted) or wanted == self._restart:
            return
        is_news = not math.isnan(self._restart)
        self._restart = wanted
        for one in self.members if is_news else ():
            if one.is_worker and one.pid:
                self.report(f"{one.name} is to be restarted")
                one.kill_at = now + self.restart_within_s
                os.kill(one.pid, signal.SIGTERM)

    def _check(self, one: Member, now: float) -> None:
        if now > one.kill_at:
            self.report(f"{one.name} did not end when asked to; ending it")
        elif one.is_watched and now > self._resumed_at + SILENT_S and not self._is_working(one, now):
            self.report(f"{one.name} has shown no sign of life; starting it again")
        else:
            return
        one.kill_at = now + SILENT_S
        os.kill(one.pid, signal.SIGKILL)

    def _is_working(self, one: Member, now: float) -> bool:
        return self._shown[one.name].is_working(now, SILENT_S)

    def _start(self, one: Member) -> None:
        shown, parent = self._shown[one.name], os.getpid()
        shown.begin()
        try:
            one.pid = os.fork()
        except OSError as error:  # no memory, or no room for another process: the others go on
            self.report(f"{one.name} could not be started ({error.strerror})")
            one.start_at = time.monotonic() + 1.0
            return
        if not one.pid:
            _become(one, shown, parent)

    def _end_all(self) -> None:
        """Ask every member to end, and kill who has not in time."""
        self.on_stop()
        for one in self.members:
            if one.pid:
                os.kill(one.pid, signal.SIGTERM)
        until = time.monotonic() + self.stop_within_s
        while any(one.pid for one in self.members) and time.monotonic() < until:
            signal.sigtimedwait((signal.SIGCHLD,), _TICK_S)
            self._beat(time.monotonic())
            self._reap()
        for one in self.members:
            if one.pid:
                os.kill(one.pid, signal.SIGKILL)
                _kill_group(one.pid)
                os.waitpid(one.pid, 0)


def _kill_group(member: int) -> None:
    """Kill what a member has started."""
    with suppress(ProcessLookupError):
        os.killpg(member, signal.SIGKILL)


def _join_supervisor() -> Callable[[], None]:
    """What shows the supervisor, if there is one, that this process lives. It ends with its supervisor from now on."""
    descriptor, _, parent = os.environ.pop(PULSE, "").partition(":")
    if not descriptor:
        return _do_nothing
    die_with_parent(signal.SIGTERM, int(parent))
    pipe = int(descriptor)
    os.set_inheritable(pipe, False)

    def beat() -> None:
        with suppress(BlockingIOError, BrokenPipeError):
            os.write(pipe, b".")

    return beat


def _become(member: Member, shown: Liveness, parent: int) -> None:
    """In the child; does not come back."""
    code = 1
    try:
        die_with_parent(signal.SIGKILL, parent)
        os.setpgid(0, 0)  # so that what it starts can be ended with it
        show_name(member.name)
        set_process_name(member.name)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        member.run(shown)
        code = 0
    except Exception:
        log.exception("%s failed", member.name)
    finally:
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)
