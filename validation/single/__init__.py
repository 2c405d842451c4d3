"""Checks of one address: for an account, in test mode, or for a visitor.

`services` holds the credit, calls engine and providers and stores the result; `public_try` stores nothing. Other
packages use `services.validate_single`; the sweep releases credits of interrupted checks.
"""

__all__ = ["api", "services"]
