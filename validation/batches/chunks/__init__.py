"""The parts of a list that workers check, and the leases that say who may write them.

`pipeline` is a worker's turn; `free_chunks` says what may be claimed, `leases` claims, renews and completes
it, `open_chunk` is one at work, `completion` ends the batch after the last one. Rows without a result wait
in chunks of their own: `greylisted_rows`, `rate_limited_rows`, and `unresolved_rows` that outside providers
are asked about. Others use `models`, `pipeline` (`wake`, `work`, `run_now`) and `completion`.
"""

__all__ = ["completion", "free_chunks", "leases", "models", "pipeline"]
