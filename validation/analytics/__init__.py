"""The figures of the dashboard and of the analytics, from the daily counts.

`services` computes them; `presentation`, `serializers` and `api` shape the responses. No other package uses it.
"""

__all__ = ["api"]
