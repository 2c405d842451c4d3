"""Binds the port, and makes the members of a family that answer there."""

import resource
import socket
from functools import partial

from django.conf import settings
from django.utils.module_loading import import_string

from emailcheck.common.queue.family import Member
from emailcheck.common.queue.liveness import Liveness
from emailcheck.common.server import bounds
from emailcheck.common.server.addresses import AddressCounts
from emailcheck.common.server.calls import Application
from emailcheck.common.server.process import Process
from emailcheck.common.server.readiness import build_parts
from emailcheck.common.storage import schema_age


def open_listener() -> socket.socket:
    """The socket at `HOST` and `PORT`, for all web processes. Raises `OSError` when the port is taken."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    family = socket.AF_INET6 if ":" in settings.HOST else socket.AF_INET
    return socket.create_server((settings.HOST, settings.PORT), family=family, backlog=bounds.BACKLOG)


def build_web_members(listener: socket.socket) -> list[Member]:
    """The processes that answer; they share what is loaded by now, and the socket."""
    application: Application = import_string(settings.WSGI_APPLICATION)
    counts = AddressCounts(settings.WEB_PROCESSES)
    schema_age.list_needed_migrations()  # once, for all of them

    def answer(number: int, liveness: Liveness) -> None:
        Process(number, listener, application, counts, liveness.show, build_parts()).run()

    return [
        Member(f"web-{number}", partial(answer, number), on_end=partial(counts.forget, number))
        for number in range(settings.WEB_PROCESSES)
    ]
