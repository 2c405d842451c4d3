"""The rights of people over their data: to get a copy, and to have it deleted.

`services` exports everything about an account, and closes an account at once and erases it in the
background. Which tables hold something about people is registered by each app in its `personal` module.
`staff` uses `services` to delete accounts.
"""

__all__ = ["api", "services"]
