"""The first hour of a developer: which of its steps the organisation has done, by what is stored anyway.

`models` keeps what was seen once, `services` finds when each step was first seen, `serializers` and `api` shape the
response. Other packages use `models` for the personal data alone.
"""

__all__ = ["api", "models"]
