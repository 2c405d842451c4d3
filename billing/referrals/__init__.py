"""Friends who bring friends: who came by whose link, and what both get for it.

The receivers of billing call `services` when an account is made or verified, and when a payment comes or
goes back. Pages use `services.is_known_code`, the dashboard of staff `services.mask_address`.
"""

__all__ = ["api", "models", "services"]
