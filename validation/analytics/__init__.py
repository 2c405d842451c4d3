"""The figures of the dashboard and of the analytics, out of the daily counts.

`services` computes them, `presentation`, `serializers` and `api` answer them. Nobody else uses it.
"""

__all__ = ["api"]
