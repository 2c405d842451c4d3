"""The monitoring page of staff, the public health call and the Prometheus text.

`api` has the calls of staff and the public ones; `presentation` composes what they show. `prometheus` takes figures of
other packages with `add_source`.
"""

__all__ = ["api", "prometheus"]
