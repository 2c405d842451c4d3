"""Signing in and out: registration, confirmation of the address, passwords, second factor, sessions, Google.

`services` makes accounts and checks passwords, `sessions` opens, renews and ends sign-ins,
`second_factor` has TOTP and recovery codes, `registrations` and `mailbox_requests` answer by mail whoever
has no account yet, in equal time for every address. `page_sessions` has the middleware of pages. `privacy` and
`staff` use `sessions`, `services`, `second_factor` and `registrations`.
"""

__all__ = [
    "api",
    "google_api",
    "mailbox_requests",
    "models",
    "page_sessions",
    "registration_api",
    "registrations",
    "second_factor",
    "security_api",
    "serializers",
    "services",
    "session_cookies",
    "sessions",
]
