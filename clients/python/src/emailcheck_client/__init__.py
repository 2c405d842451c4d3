"""EmailCheck for Python: check addresses and lists, read results, verify webhooks. See README.md of the package.

The clients are loaded at their first use, since importing an HTTP library takes longer than everything else here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from emailcheck_client import errors, webhooks
from emailcheck_client.answers import Account, Credits, Draft, Event, KeyFacts, Page, Progress, Verdict
from emailcheck_client.errors import (
    BadAnswer,
    BadSignature,
    BadUsage,
    EmailCheckError,
    JobCancelled,
    JobFailed,
    JobPaused,
    NetworkFailed,
    QuotaExceeded,
    RateLimited,
)
from emailcheck_client.words import Category, Status

if TYPE_CHECKING:
    from emailcheck_client.client import AsyncEmailCheck, AsyncJob, EmailCheck, Job

__version__ = "0.1.0"
__all__ = [
    "Account", "AsyncEmailCheck", "AsyncJob", "BadAnswer", "BadSignature", "BadUsage", "Category", "Credits",
    "Draft", "EmailCheck", "EmailCheckError", "Event", "Job", "JobCancelled", "JobFailed", "JobPaused", "KeyFacts",
    "NetworkFailed", "Page", "Progress", "QuotaExceeded", "RateLimited", "Status", "Verdict", "errors", "webhooks",
]  # fmt: skip
_LATE = ("AsyncEmailCheck", "AsyncJob", "EmailCheck", "Job")


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return getattr(import_module("emailcheck_client.client"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
