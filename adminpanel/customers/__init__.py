"""The accounts as staff see and change them: list, detail, credits, suspension, deletion, viewing.

`services` composes what accounts, billing and validation know of an account; `users_named_test` deletes
accounts made for tests; `list_addresses` shows addresses of a customer's list, with a reason that the
customer reads.
"""

__all__ = []
