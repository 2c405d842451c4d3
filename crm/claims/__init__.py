"""What the public pages claim about us: text, value, source and date of each claim.

`services.public` is what pages may show; in live mode a claim that needs a proof appears once staff
confirmed it.
"""

__all__ = ["api", "models", "services"]
