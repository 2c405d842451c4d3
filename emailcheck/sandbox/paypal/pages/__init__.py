"""The pages of the simulated PayPal: a buyer approves (`approval`), a tester moves it (`control`, `overview`).

Their templates and styles lie in the folder above. Used by `web.app`.
"""

__all__ = ["approval", "control"]
