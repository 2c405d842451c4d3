"""What mail hosts are asked about one address, and what they answered.

`probe` is the answer about one recipient and the session that brought it. `catch_all` caches by domain whether a random
recipient was accepted. Plain data: no sessions are opened here. Used by `limits`, `hosts`, `verdict` and `jobs`.
"""

__all__ = ["catch_all", "probe"]
