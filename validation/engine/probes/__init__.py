"""What mail hosts are asked about one address, and what they answered.

`probe` is the answer about one recipient and the session that brought it, `failed_probes` that of an address that
nobody was asked about. Plain data: no sessions
are opened here. Used by `limits`, `hosts`, `verdict`, `jobs` and `call`.
"""

__all__ = ["failed_probes", "probe"]
