"""One address, checked now: for an account, in test mode, or for a visitor who tries the product.

`services` holds the credit, asks engine and providers and records the result; `public_try` keeps nothing.
Others use `services.validate_single`; the sweep gives back credits of checks that were cut off.
"""

__all__ = ["api", "services"]
