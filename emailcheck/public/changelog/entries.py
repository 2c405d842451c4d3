"""The entries of the changelog, newest first."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.conf import settings

PATH = "/changelog"


class Kind(StrEnum):
    """What a change is to somebody whose program runs."""

    ADDED = "added"
    CHANGED = "changed"
    DEPRECATED = "deprecated"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Entry:
    """A change. `anchor` never changes; `text` is a paragraph in Markdown; `docs` is the path of what explains it."""

    anchor: str
    date: date
    kind: Kind
    title: str
    text: str
    docs: str

    @property
    def path(self) -> str:
        return f"{PATH}#{self.anchor}"

    @property
    def address(self) -> str:
        """The address of the entry, with the host."""
        return f"{settings.SITE_URL}{self.path}"


_V1 = date(2026, 11, 28)
_TEST_MODE = date(2026, 11, 22)
_KEYS = date(2026, 11, 21)
_FIRST = date(2026, 11, 20)

ENTRIES = (
    Entry(
        "cursors-and-limits",
        _V1,
        Kind.CHANGED,
        "Every list pages by cursor and limit",
        "Calls that list take `cursor` and `limit` (1 to 1,000, by default 100) and answer `next_cursor`, which is "
        "null at the end. `next`, and `page`, `page_size` and `total` of the history and of a list, are deprecated: "
        "they work until 30 November 2027. `page` together with `cursor` is refused.",
        "/documentation#history",
    ),
    Entry(
        "names-of-counts",
        _V1,
        Kind.DEPRECATED,
        "One name for each count",
        "The names are `batch_id`, `status`, `total_emails`, `processed`, `valid`, `disposable` and "
        "`subscription_plan`. The older ones, `id` of a list, `processing_status`, `total_processed`, "
        "`processed_emails`, `is_valid`, `is_disposable` and `current_plan`, hold the same values until 30 November "
        "2027.",
        "/documentation#deprecated",
    ),
    Entry(
        "opaque-ids",
        _V1,
        Kind.DEPRECATED,
        "Ids of results are opaque",
        "A result is named by a text that begins with `res_` and tells neither volume nor order. Keys that were "
        "made before this date keep number ids until 30 November 2027; newer keys never see them.",
        "/documentation#deprecated",
    ),
    Entry(
        "unknown-parameters",
        _V1,
        Kind.CHANGED,
        "Unknown parameters and members are refused",
        "A query parameter or a member of a body that the API does not know is answered with 400 "
        "`VALIDATION_ERROR`, its name and the nearest one that there is; nothing is done or charged. For keys that "
        "were made before this date they are ignored until 30 November 2027, and the answer says so; `next` as a "
        "parameter is refused for every key.",
        "/documentation#error-codes",
    ),
    Entry(
        "scopes",
        _V1,
        Kind.ADDED,
        "A scope for webhooks",
        "Besides `read` and `write` a key may have `webhooks`, to look after endpoints. New keys get `read` and "
        "`write` unless told otherwise, and existing keys gain nothing. A call without its scope is 403 and names it.",
        "/documentation#api-keys",
    ),
    Entry(
        "webhooks-by-key",
        _V1,
        Kind.ADDED,
        "Webhook endpoints by API key",
        "With the scope `webhooks` a key makes, lists, changes, tests and deletes endpoints of its own mode. The "
        "secret is in the answer that makes one, and nowhere else.",
        "/documentation#webhooks",
    ),
    Entry(
        "test-endpoints-on-every-plan",
        _V1,
        Kind.ADDED,
        "Test endpoints on every plan",
        "Webhook endpoints of test mode work on every plan, Free included, with test button, log and replay. Live "
        "ones come with Growth.",
        "/documentation#webhook-events",
    ),
    Entry(
        "status-limit",
        _V1,
        Kind.CHANGED,
        "Asking for progress costs no check its place",
        "`GET /validate/batch/{id}/status`, `/credits` and `/auth/me` are counted apart from checks: 120 calls a "
        "minute on every plan, and any number on Enterprise.",
        "/documentation#limits",
    ),
    Entry(
        "test-address",
        _V1,
        Kind.CHANGED,
        "Test addresses are told from real ones",
        "A documented test address that comes with a live key gets the reason `test_address`, and nobody is asked. "
        "A test key gets its verdict.",
        "/documentation#test-mode",
    ),
    Entry(
        "public-description",
        _V1,
        Kind.ADDED,
        "A description of the public calls alone",
        "`GET /api/v1/openapi.json` describes in OpenAPI 3.1 exactly what keys and programs can call, each with "
        "summary, scope and examples. The reference is made from it.",
        "/api-docs",
    ),
    Entry(
        "reasons",
        _V1,
        Kind.ADDED,
        "A list of all reasons",
        "`GET /reasons` and the documentation say for every `reason` what it means, what it costs, and what to do. "
        "Expect new ones.",
        "/documentation#reasons",
    ),
    Entry(
        "leaked-keys",
        _V1,
        Kind.ADDED,
        "Reports of leaked keys",
        "Secret scanners report keys that they found to `POST /api/v1/keys/leaked`. A real live key is revoked at "
        "once, and its makers, owners and admins are told where it was found.",
        "/documentation#api-keys",
    ),
    Entry(
        "python-client",
        _V1,
        Kind.ADDED,
        "A client for Python",
        "`emailcheck-client` sends addresses and lists, waits for results, repeats what may be repeated and "
        "verifies webhooks. It comes with the source of this installation and is on no registry.",
        "/documentation#python-client",
    ),
    Entry(
        "samples-that-wait",
        _V1,
        Kind.FIXED,
        "Samples wait instead of breaking off",
        "Every sample of the documentation waits as `Retry-After` says, stops at any other refusal with its message "
        "and request id, tells a list that failed from one that is complete, and never writes an error into a "
        "result file.",
        "/documentation#client",
    ),
    Entry(
        "test-mode",
        _TEST_MODE,
        Kind.ADDED,
        "Test mode",
        "Keys `ec_test_…` take every call, with addresses that get each verdict, 429, no credits, a slow answer or "
        "a fault.",
        "/documentation#test-mode",
    ),
    Entry(
        "reference",
        _TEST_MODE,
        Kind.ADDED,
        "Reference of every call",
        "All calls with their fields, to be tried in the browser with a test key; for language models in "
        "[llms.txt](/llms.txt).",
        "/api-docs",
    ),
    Entry(
        "webhooks",
        _TEST_MODE,
        Kind.ADDED,
        "Webhooks",
        "Five events, signed as Standard Webhooks 1.0 says, with a delivery log and replay.",
        "/documentation#webhooks",
    ),
    Entry(
        "streaming",
        _TEST_MODE,
        Kind.ADDED,
        "Results as a stream",
        "Results of a list as NDJSON, and pages by cursor, also while it runs.",
        "/documentation#batches",
    ),
    Entry(
        "request-log",
        _TEST_MODE,
        Kind.ADDED,
        "Request log",
        "Every call of your keys for 30 days, in your settings.",
        "/documentation#request-ids",
    ),
    Entry(
        "limits-on-every-answer",
        _TEST_MODE,
        Kind.ADDED,
        "Limits on every answer",
        "`RateLimit-Policy`, `RateLimit`, `X-RateLimit-*`, and `X-Credits-Remaining` where a call may spend.",
        "/documentation#limits",
    ),
    Entry(
        "api-keys",
        _KEYS,
        Kind.ADDED,
        "API keys",
        "Keys with scopes, an end, credits a day and allowed addresses.",
        "/documentation#api-keys",
    ),
    Entry(
        "idempotency-key",
        _FIRST,
        Kind.ADDED,
        "Idempotency-Key",
        "Calls that spend may be repeated for 24 hours without being charged twice.",
        "/documentation#idempotency",
    ),
    Entry(
        "first-version",
        _FIRST,
        Kind.ADDED,
        "First version",
        "One address, a list, a file; history, results and export.",
        "/documentation#endpoints",
    ),
)
