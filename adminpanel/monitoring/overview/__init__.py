"""The monitoring page of staff, the public health call and the Prometheus text.

`api` is for staff, `public_api` for everybody; `presentation` makes of figures what they show. Nothing else uses it.
"""

__all__ = ["api", "public_api"]
