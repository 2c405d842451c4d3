"""What mail hosts are asked about one address, and what they answered.

`probe` is the answer about one recipient and the session that brought it, `failed_probes` that of an address that
nobody was asked about. `catch_all` caches by domain whether a random recipient was accepted. Plain data: no sessions
are opened here. Used by `limits`, `hosts`, `verdict`, `jobs` and `call`.
"""

__all__ = ["catch_all", "failed_probes", "probe"]
