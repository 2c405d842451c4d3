"""One attempt: a signed message is posted to an endpoint. No database: this runs in concurrent threads."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from emailcheck.common.outbound.http import Answer, ConnectionBroken, NotSent, Origin, OutboundError, TimedOut
from validation.egress import public_hosts
from validation.egress.public_hosts import NotFound, NotPublic
from validation.webhooks import signing

SECONDS = 15.0
_READ_BYTES = 64 * 1024
_BODY_CHARACTERS = 4_096
_RECORDED_HEADERS = ("retry-after",)
UNSIGNED = "The secret of this endpoint can no longer be read, so nothing was sent. Rotate it."
_SENTENCES: tuple[tuple[type[OSError | OutboundError], str], ...] = (
    (NotPublic, "The address leads to a private or reserved network, so nothing was sent."),
    (NotFound, "The host of the address could not be found in the DNS."),
    (NotSent, "No secure connection could be made."),
    (TimedOut, f"No whole answer came within {SECONDS:.0f} seconds."),
    (ConnectionBroken, "The connection ended before the answer did."),
    (OutboundError, "The answer could not be read."),
    (OSError, "No secure connection could be made."),
)


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """A message, its URL, and the secrets that sign it."""

    url: str
    message_id: str
    body: str
    keys: Sequence[str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an attempt: a status with the beginning of the body, or the error.

    `sent`: our headers.
    """

    sent: Mapping[str, str]
    duration_ms: int
    status: int | None = None
    body: str = ""
    error: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def delivered(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def post_message(message: WebhookMessage) -> Outcome:
    """Send a message. One that cannot be signed is not sent."""
    if not message.keys:
        return Outcome({}, 0, error=UNSIGNED)
    signed = signing.build_headers(
        message_id=message.message_id, at=int(time.time()), body=message.body, keys=message.keys
    )
    sent = {"Content-Type": "application/json", "Organisation-Agent": "EmailCheck-Webhooks/1.0"} | signed
    begun = time.monotonic()
    try:
        answer = _send_request(message, sent)
    except (OutboundError, OSError) as error:
        return Outcome(sent, _elapsed_ms(begun), error=_describe_error(error))
    return Outcome(
        sent,
        _elapsed_ms(begun),
        status=answer.status,
        body=_trim_body(answer.body),
        error=_describe_status(answer.status),
        headers={name: answer.headers[name] for name in _RECORDED_HEADERS if name in answer.headers},
    )


def _send_request(message: WebhookMessage, sent: Mapping[str, str]) -> Answer:
    parts = urlsplit(message.url)
    origin = Origin(
        f"https://{parts.netloc}",
        seconds=SECONDS,
        max_bytes=_READ_BYTES,
        hands_back_redirects=True,
        takes_any_body=True,
        route=public_hosts.dial_public,
        tls=public_hosts.tls_context(),
    )
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return origin.send("POST", path, headers=sent, content=message.body.encode())


def _describe_status(status: int) -> str:
    if 200 <= status < 300:
        return ""
    return "Redirects are not followed." if 300 <= status < 400 else f"The endpoint answered {status}."


def _describe_error(error: Exception) -> str:
    return next(sentence for kind, sentence in _SENTENCES if isinstance(error, kind))


def _trim_body(body: bytes) -> str:
    """The beginning of a body as text, without NUL, which not every database stores."""
    return body.decode(errors="replace").replace("\0", "\ufffd")[:_BODY_CHARACTERS]


def _elapsed_ms(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))
