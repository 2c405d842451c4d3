"""Our egress addresses, and how the mail operators treat each of them.

`routes` keeps what the engine's processes report for each route and operator; `addresses` is what staff
do to an egress address: rest, drain, resume, remove.
"""

__all__ = ["api", "models", "routes"]
