"""What people say about themselves and how they want to be treated: name, preferences, retention, tour.

`services.save` writes any of these and records it; nobody else uses this package.
"""

__all__ = ["api"]
