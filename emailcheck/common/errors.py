"""One tree of errors that a caller can act on.

    ProductError
    ├── BadInput          400  VALIDATION_ERROR and narrower codes
    ├── NotAuthenticated  401  NOT_AUTHENTICATED, INVALID_CREDENTIALS, SESSION_ENDED
    ├── Refused           403  PERMISSION_DENIED, QUOTA_EXCEEDED, ACCOUNT_SUSPENDED, …
    ├── NotFound          404  NOT_FOUND
    ├── TimedOut          408  REQUEST_TIMEOUT
    ├── Conflict          409  CONFLICT, IDEMPOTENCY_IN_FLIGHT
    ├── Gone              410  EXPIRED
    ├── TooLarge          413  FILE_TOO_LARGE
    ├── Unprocessable     422  IDEMPOTENCY_MISMATCH
    ├── TooMany           429  RATE_LIMIT_EXCEEDED
    ├── HeadTooLarge      431  HEADERS_TOO_LARGE
    ├── ProviderFailed    502  PROVIDER_ERROR, PAYMENT_PROVIDER_ERROR
    ├── Unavailable       503  UNAVAILABLE, DATABASE_UNAVAILABLE
    │   └── Overloaded    503  OVERLOADED
    └── StorageFull       507  STORAGE_FULL

`emailcheck.common.api.error_responses.exception_handler` turns each into the one error body.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

Found = TypeVar("Found")


class ProductError(Exception):
    """An error with an HTTP status, a stable code and one sentence the user can act on.

    `headers` go onto the answer, `extra` are further keys of its body, `details` of the part of that name.
    """

    status = 500
    code = "ERROR"
    headers: Mapping[str, str] = MappingProxyType({})
    extra: Mapping[str, str] = MappingProxyType({})
    details: Mapping[str, object] = MappingProxyType({})

    def __init__(self, detail: str, *, code: str | None = None, field: str | None = None, value: object = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or type(self).code
        self.field = field
        self.value = value


class BadInput(ProductError):
    status = 400
    code = "VALIDATION_ERROR"


class NotAuthenticated(ProductError):
    status = 401
    code = "NOT_AUTHENTICATED"
    headers: Mapping[str, str] = MappingProxyType({"WWW-Authenticate": "Bearer"})


class Refused(ProductError):
    status = 403
    code = "PERMISSION_DENIED"


class NotFound(ProductError):
    status = 404
    code = "NOT_FOUND"


class TimedOut(ProductError):
    """The caller took too long to send the request."""

    status = 408
    code = "REQUEST_TIMEOUT"


class Conflict(ProductError):
    status = 409
    code = "CONFLICT"


class Gone(ProductError):
    status = 410
    code = "EXPIRED"


class TooLarge(ProductError):
    status = 413
    code = "FILE_TOO_LARGE"


class Unprocessable(ProductError):
    status = 422
    code = "UNPROCESSABLE"


class TooMany(ProductError):
    status = 429
    code = "RATE_LIMIT_EXCEEDED"

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail)
        self.headers = {"Retry-After": str(retry_after)}


class HeadTooLarge(ProductError):
    status = 431
    code = "HEADERS_TOO_LARGE"


class ProviderFailed(ProductError):
    """An outside party failed to do what it was asked to."""

    status = 502
    code = "PROVIDER_ERROR"


class Unavailable(ProductError):
    status = 503
    code = "UNAVAILABLE"


class Overloaded(Unavailable):
    """Nobody could answer in time; nothing was done."""

    code = "OVERLOADED"

    def __init__(self, *, retry_after: int) -> None:
        super().__init__("We are very busy right now. Nothing was done; please try again in a few seconds.")
        self.headers = {"Retry-After": str(retry_after)}


class DatabaseUnavailable(Unavailable):
    """The database is out of reach or locked for long; nothing was done."""

    code = "DATABASE_UNAVAILABLE"
    headers = MappingProxyType({"Retry-After": "5"})


class StorageFull(ProductError):
    """A disk, or the database's, has no room left; nothing was done."""

    status = 507
    code = "STORAGE_FULL"
    headers = MappingProxyType({"Retry-After": "60"})


def require_found(found: Found | None, detail: str) -> Found:
    """What was looked up. Raises `NotFound` with `detail` for None."""
    if found is None:
        raise NotFound(detail)
    return found
