"""Calls to a provider, with time limits and errors without secrets."""

from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit

from emailcheck.common.outbound.http import Answer, NotSent, Origin, OutboundError, Redirected, TooLarge
from validation.egress import public_hosts
from validation.providers.clients.base import BadAnswer, BadKey, OutOfCredit, RateLimited, Refused, Unavailable
from validation.providers.clients.configuration import Access

_SECONDS = 30.0
_ANSWER_BYTES = 256 * 1024
_RESULTS_SECONDS = 120.0
_RESULTS_BYTES = 32 * 1024 * 1024
_LONGEST_WAIT = 86_400.0
_AGENT = {"Organisation-Agent": "EmailCheck/1.0", "Accept": "application/json, text/csv;q=0.9"}
_HTTPS = 443
_WRONG_KEY, _NO_CREDIT, _TOO_MANY = 401, 402, 429


class LinkEnded(Refused):
    """A link to results has expired."""


class ProviderCalls:
    """Calls below one address of a provider. May be shared between threads."""

    def __init__(self, base: str) -> None:
        self.base = base
        self._answers = Origin(base, seconds=_SECONDS, max_bytes=_ANSWER_BYTES)
        self._results = Origin(base, seconds=_RESULTS_SECONDS, max_bytes=_RESULTS_BYTES)

    def get(
        self,
        path: str,
        query: Mapping[str, str],
        *,
        headers: Mapping[str, str] | None = None,
        seconds: float | None = None,
        is_large: bool = False,
    ) -> Answer:
        """GET; `is_large` for the results of a bulk job. Raises `ProviderError`."""
        target = f"{path}?{urlencode(query)}" if query else path
        return self._send(self._results if is_large else self._answers, "GET", target, headers or {}, b"", seconds)

    def send(
        self,
        method: str,
        path: str,
        content: bytes,
        *,
        kind: str,
        headers: Mapping[str, str] | None = None,
        seconds: float | None = None,
        is_large: bool = False,
    ) -> Answer:
        """Send content of a media type. Raises `ProviderError`."""
        retry_after = {"Content-Type": kind, **(headers or {})}
        origin = self._results if is_large else self._answers
        return self._send(origin, method, path, retry_after, content, seconds)

    def _send(
        self, origin: Origin, method: str, path: str, headers: Mapping[str, str], content: bytes, seconds: float | None
    ) -> Answer:
        endpoint = path.partition("?")[0]
        return _check_answer(_send_request(origin, method, path, {**_AGENT, **headers}, content, seconds), endpoint)


class ProviderAccount:
    """Our account at a provider: its names, our key, and where single and bulk calls go."""

    def __init__(self, access: Access) -> None:
        self.name, self.title = access.service.name, access.service.title
        self._key = access.key
        self._calls, self._bulk = ProviderCalls(access.url), ProviderCalls(access.bulk_url)


def download_results(link: str, *, base: str) -> bytes:
    """The content behind a provider's link: on its own server, or at a public https address.

    Our key is not sent there. Raises `ProviderError`: `LinkEnded` when a new link is needed.
    """
    try:
        origin, path = _resolve_link(link, base)
    except ValueError:
        raise BadAnswer("the link to the results cannot be read") from None
    answer = _send_request(origin, "GET", path, _AGENT, b"", None)
    if 400 <= answer.status < 500:
        raise LinkEnded(f"link to the results: {answer.status}")
    return _check_answer(answer, "link to the results").body


def _resolve_link(link: str, base: str) -> tuple[Origin, str]:
    """The server of a link and the path there. Raises `BadAnswer`, `ValueError`."""
    parts, own = urlsplit(link), urlsplit(base)
    path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return Origin(f"{own.scheme}://{own.netloc}", seconds=_RESULTS_SECONDS, max_bytes=_RESULTS_BYTES), path
    if parts.scheme != "https" or "@" in parts.netloc or parts.port not in {None, _HTTPS}:
        raise BadAnswer("the link to the results is no https address")
    try:
        tls = public_hosts.tls_context()
    except OSError:
        raise Unavailable("no certificates to trust", charged=False) from None
    public = Origin(
        f"https://{parts.netloc}",
        seconds=_RESULTS_SECONDS,
        max_bytes=_RESULTS_BYTES,
        route=public_hosts.dial_public,
        tls=tls,
    )
    return public, path


def _send_request(
    origin: Origin, method: str, path: str, headers: Mapping[str, str], content: bytes, seconds: float | None
) -> Answer:
    """Send a request. Errors carry no cause: its text may quote what was sent, keys included."""
    endpoint = path.partition("?")[0]
    try:
        return origin.send(method, path, headers=headers, content=content, seconds=seconds)
    except NotSent:
        raise Unavailable(f"{endpoint}: no connection", charged=False) from None
    except (Redirected, TooLarge, ValueError) as error:
        raise BadAnswer(f"{endpoint}: {type(error).__name__}") from None
    except OutboundError as error:
        raise Unavailable(f"{endpoint}: {type(error).__name__}") from None


def _check_answer(answer: Answer, endpoint: str) -> Answer:
    """The answer. Raises where its status or form shows that it is not the provider's own."""
    summary = f"{endpoint}: {answer.status}"
    if answer.status >= 500 or answer.body[:64].lstrip().startswith(b"<"):
        raise Unavailable(summary if answer.status >= 500 else f"{summary} with a page instead of an answer")
    if answer.status == _TOO_MANY:
        raise RateLimited(summary, retry_after=_parse_retry_after(answer))
    if answer.status == _WRONG_KEY:
        raise BadKey(summary)
    if answer.status == _NO_CREDIT:
        raise OutOfCredit(summary)
    return answer


def build_refusal(status: int, endpoint: str) -> Refused:
    """A refusal by a status 4xx."""
    return Refused(f"{endpoint}: {status}")


def _parse_retry_after(answer: Answer) -> float | None:
    retry_after = answer.headers.get("retry-after", "")
    return min(float(retry_after), _LONGEST_WAIT) if retry_after.isascii() and retry_after.isdigit() else None
