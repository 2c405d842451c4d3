"""The first hour of a developer: which of its steps the organisation has done, by what is stored anyway.

`services` finds when each step was first seen, `serializers` and `api` shape the response. No other package uses it.
"""

__all__ = ["api"]
