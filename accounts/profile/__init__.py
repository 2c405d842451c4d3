"""The settings of an account: name, preferences, retention, tour.

`services.save_settings` writes any of these and records it; `team` names organisations by it.
"""

__all__ = ["api", "services"]
