"""Signing in with Google.

`openid` speaks the protocol (authorization code with PKCE), `accounts` decides which account a person at
Google opens, and `api` has the calls. Registrations and the second step of a sign-in link accounts
through `accounts`.
"""

__all__ = ["accounts"]
