"""The addresses of customers' lists, as staff may see them: with a reason, which the customer reads.

`services` shows those of one list, and where an account has one address; `api` and `serializers` are the calls.
"""

__all__ = ["api"]
