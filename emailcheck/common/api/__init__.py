"""What every API call shares: the error body, shapes, pagination, idempotency and rate limits.

Views use `serializers` (`validate_shape`, `with_errors`), `pagination` and `idempotency.idempotent`; `queries` refuses
what a call does not take, `deprecations` says what ends when. `throttles` is the one limiter, for calls and for
everything else that is limited. `error_responses`, `negotiation`, `described_views` and `schema` are named in the
settings. The errors themselves are in `emailcheck.common.errors`, beneath all packages.
"""

__all__ = [
    "deprecations",
    "error_responses",
    "idempotency",
    "models",
    "negotiation",
    "pagination",
    "queries",
    "schema",
    "serializers",
    "throttles",
]
