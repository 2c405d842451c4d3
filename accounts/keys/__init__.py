"""API keys: created, changed and revoked by their owner; and the log of the calls made with them.

`services` is what others use, to revoke all keys of an account, and of `serializers` the field of a network. The format
of a key, and whether one may be used now, is in `accounts.access.authentication`. `request_log` is a
middleware: it keeps the last calls of each account, without addresses and texts. `deprecation_notices` mails about
calls that use what is deprecated. `leaks` revokes keys that were found in public, and is asked by pages for what a
person is told of that.
"""

__all__ = [
    "api",
    "deprecation_notices",
    "emails",
    "leaks",
    "leaks_api",
    "leaks_serializers",
    "models",
    "request_log",
    "serializers",
    "services",
]
