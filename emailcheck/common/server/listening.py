"""Binds the port, starts the processes that answer, starts again what dies, and ends with all of them."""

import gc
import logging
import os
import resource
import signal
import socket
import time
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connections
from django.utils.module_loading import import_string

from emailcheck.common.queue.child_processes import die_with_parent
from emailcheck.common.server import bounds
from emailcheck.common.server.addresses import AddressCounts
from emailcheck.common.server.calls import Application
from emailcheck.common.server.process import Process

log = logging.getLogger(__name__)
_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(slots=True)
class Listening:
    """The parent of the processes; they share what it has loaded, and the socket."""

    listener: socket.socket
    application: Application
    counts: AddressCounts
    children: dict[int, int] = field(default_factory=dict)
    stopping: bool = False

    def run(self) -> None:
        """Until SIGTERM or SIGINT, and then until the last process has ended."""
        for one in _SIGNALS:
            signal.signal(one, self._stop)
        for number in range(settings.WEB_PROCESSES):
            self._start(number)
        while self.children:
            begun = time.monotonic()
            pid, status = os.wait()
            number = self.children.pop(pid)
            self.counts.forget(number)
            if not self.stopping:
                log.error("a web process ended with %s; starting another", os.waitstatus_to_exitcode(status))
                time.sleep(max(0.0, 0.5 - (time.monotonic() - begun)))
                self._start(number)

    def _stop(self, number: int, frame: object) -> None:
        self.stopping = True
        self.listener.close()  # with those of the processes: the system refuses connections from now on
        for pid in self.children:
            os.kill(pid, signal.SIGTERM)

    def _start(self, number: int) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        pid = 0 if self.stopping else os.fork()
        if pid:
            self.children[pid] = number
        elif not self.stopping:
            self._answer(number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def _answer(self, number: int) -> None:
        """In the child; does not come back."""
        ended = 1
        try:
            die_with_parent(signal.SIGKILL)
            for one in _SIGNALS:
                signal.signal(one, signal.SIG_DFL)
            process = Process(number, self.listener, self.application, self.counts)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
            process.run()
            ended = 0
        except Exception:
            log.exception("a web process failed")
        finally:
            os._exit(ended)


def serve_forever() -> None:
    """Answer at `HOST` and `PORT`. Raises `OSError` when the port is taken."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    listener = socket.create_server((settings.HOST, settings.PORT), family=family, backlog=bounds.BACKLOG)
    application = import_string(settings.WSGI_APPLICATION)
    connections.close_all()
    gc.collect()
    gc.freeze()
    Listening(listener, application, AddressCounts(settings.WEB_PROCESSES)).run()
