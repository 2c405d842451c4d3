"""The pages of the simulated PayPal: `approval` for buyers, `control` and `overview` for testers.

Their templates and styles are in the folder above. Used by `web.app`.
"""

__all__ = ["approval", "control"]
