"""The settings of an account: name, preferences, retention, tour.

`services.save_settings` writes any of these and records it; nobody else uses this package.
"""

__all__ = ["api"]
