"""How long, how much and how many: every bound that the server keeps to.

Seconds are deadlines of a connection's present state; sizes are in octets.
"""

from typing import Final

HEAD_S: Final = 10.0
"""From the first octet of a head, or from the connection, to the head's end."""
IDLE_S: Final = 20.0
"""An idle connection between two requests."""
IDLE_PROXY_S: Final = 75.0
"""The same for a proxy of ours: longer than proxies keep theirs (60 s), so that they close first."""
BODY_GRACE_S: Final = 10.0
BODY_RATE: Final = 2_000
"""A body must be there after `BODY_GRACE_S` and a second for each `BODY_RATE` of it that came."""
BODY_S: Final = 300.0
"""However it comes, a body must be there after so long."""
READING_S: Final = 30.0
READING_LEAST: Final = 32 * 1024
"""Who reads an answer must take so much of what waits in so long."""
LINGER_S: Final = 3.0
LINGER_MOST: Final = 64 * 1024 * 1024
"""After a refusal so much is read and thrown away, for so long: else the caller's system may drop the answer."""

HEAD_MOST: Final = 32 * 1024
HEADERS_MOST: Final = 100
URL_MOST: Final = 8 * 1024
READ_MOST: Final = 64 * 1024
"""Octets of an unfinished head, beside those that came in one go with its first."""
FRAMES_MOST: Final = 64 * 1024
"""Octets of a body in chunks that are neither content nor `CHUNK_EXTRA` of a chunk: trailers, extensions."""
FORM_EXTRA: Final = 64 * 1024
"""A form may be so much larger than the file in it."""
CHUNK_EXTRA: Final = 16
"""Octets that a chunk may take beside its content."""
IN_MEMORY: Final = 16 * 1024
"""Bodies up to this size stay in memory, longer ones go to disk."""
ON_DISK_MOST: Final = 512 * 1024 * 1024
"""Octets of bodies that a process keeps on disk at a time."""
PIPELINED_MOST: Final = 16

CONNECTIONS: Final = 4_096
"""Connections that a process holds."""
REFUSED_MOST: Final = 128
"""Surplus connections, of a process or an address, that get a refusal; more are closed without one."""
STREAMS: Final = 32
STREAMS_OF_ADDRESS: Final = 16
"""Long answers under way in a process, and of them to one address."""
PIECE: Final = 16 * 1024
"""Small pieces of a long answer are joined up to this size."""
PIECE_S: Final = 0.05
SMALL_FILE: Final = 1024 * 1024
"""Files up to this size are read at once."""

WAIT_S: Final = 0.4
WAIT_LAST_S: Final = 0.6
"""A request that no thread has taken after so long is refused; the longer time is that of what is refused last."""
RETRY_AFTER_S: Final = 2
LOOK_EVERY_S: Final = 0.1
DRAIN_S: Final = 10.0
DRAIN_LEAST_S: Final = 5.0
"""How long requests may take to end after the server was told to, and after its port was closed, if that is later."""
BACKLOG: Final = 2_048

READY_FOR_S: Final = 1.0
READY_WITHIN_S: Final = 2.0
"""How long an answer about readiness holds, and how long what it asks may take to answer."""


def drain_within_s(grace_s: float) -> float:
    """From the signal to the end, where connections are taken for `grace_s` after it."""
    return max(DRAIN_S, grace_s + DRAIN_LEAST_S)
