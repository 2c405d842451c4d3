"""What arrived at the receiver, by box, and how each box answers."""

import base64
import binascii
import hashlib
import hmac
import itertools
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

_MOST_DELIVERIES = 500
_MOST_BOXES = 200
_BODY_CHARACTERS = 100_000
_SECRET = "whsec_"


class Mode(StrEnum):
    """How a box answers."""

    OK = "ok"
    SLOW = "slow"
    ERROR = "500"
    GONE = "410"
    LATER = "later"
    REDIRECT = "redirect"
    HUGE = "huge"
    BROKEN = "broken"


WORDS: Mapping[Mode, str] = {
    Mode.OK: "200, at once",
    Mode.SLOW: "never: the sender runs out of time",
    Mode.ERROR: "500, an error of the receiver",
    Mode.GONE: "410, gone for good",
    Mode.LATER: "503, with Retry-After: 120",
    Mode.REDIRECT: "302, to http://169.254.169.254/",
    Mode.HUGE: "200, with a body without end",
    Mode.BROKEN: "half an answer, then the connection ends",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """A request that came; names of headers are in lower case."""

    id: int
    box: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: str
    at: str
    answered: str
    signature: str


@dataclass(slots=True)
class Box:
    """A place to post to, how it answers, and the secret that signatures are checked with."""

    mode: Mode = Mode.OK
    secret: str = field(default="", repr=False)


class Inbox:
    """The latest deliveries, newest first, and the boxes."""

    def __init__(self) -> None:
        self._deliveries: deque[Delivery] = deque(maxlen=_MOST_DELIVERIES)
        self._boxes: dict[str, Box] = {}
        self._ids = itertools.count(1)

    def box(self, name: str) -> Box:
        """The box of that name; a new one answers 200."""
        if name not in self._boxes and len(self._boxes) >= _MOST_BOXES:
            del self._boxes[next(iter(self._boxes))]
        return self._boxes.setdefault(name, Box())

    def names(self) -> list[str]:
        """The boxes that were posted to or set."""
        return sorted(self._boxes)

    def deliveries(self, box: str = "") -> list[Delivery]:
        """What arrived, newest first: in one box, or everywhere."""
        return [delivery for delivery in self._deliveries if not box or delivery.box == box]

    def receive(self, *, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Box:
        """Keep a request. Answers its box."""
        name = path.partition("?")[0].strip("/").partition("/")[0] or "default"
        box = self.box(name)
        self._deliveries.appendleft(
            Delivery(
                id=next(self._ids),
                box=name,
                method=method,
                path=path,
                headers=dict(headers),
                body=body.decode(errors="replace")[:_BODY_CHARACTERS],
                at=datetime.now(UTC).isoformat(timespec="milliseconds"),
                answered=WORDS[box.mode],
                signature=judge_signature(headers, body, box.secret),
            )
        )
        return box

    def clear(self, box: str = "") -> None:
        """Forget what arrived; the boxes stay as they are set."""
        others = [delivery for delivery in self._deliveries if box and delivery.box != box]
        self._deliveries = deque(others, maxlen=_MOST_DELIVERIES)


def judge_signature(headers: Mapping[str, str], body: bytes, secret: str) -> str:
    """What a receiver makes of the signature: `valid`, `wrong`, `missing`, or `not checked` without a secret."""
    if not secret:
        return "not checked"
    try:
        key = base64.b64decode(secret.removeprefix(_SECRET), validate=True)
    except binascii.Error:
        return "wrong"
    given = headers.get("webhook-signature", "").split()
    if not given:
        return "missing"
    signed = f"{headers.get('webhook-id', '')}.{headers.get('webhook-timestamp', '')}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return "valid" if any(hmac.compare_digest(right.encode(), one.encode()) for one in given) else "wrong"
