"""What staff do to accounts: roles, suspension, colleagues, and viewing the product as a customer sees it.

`services` changes an account and records who did it, `colleague_deletion` takes two administrators,
`viewing` starts and ends a read-only view, `admin_site` is the entrance of Django's admin. The staff
dashboard calls these.
"""

__all__ = ["colleague_deletion", "models", "services", "viewing"]
