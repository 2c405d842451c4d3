"""What every API call shares: the error body, shapes, pagination, idempotency and rate limits.

Views use `serializers` (`validate_shape`, `with_errors`), `pagination` and `idempotency.idempotent`;
`throttles` is the one limiter, for calls and for everything else that is limited. `error_responses`,
`negotiation` and `schema` are named in the settings. The errors themselves are in
`emailcheck.common.errors`, beneath all packages.
"""

__all__ = [
    "deprecations",
    "error_responses",
    "idempotency",
    "models",
    "pagination",
    "schema",
    "serializers",
    "throttles",
]
