"""The parts of a list that workers check, and the leases that decide who may write them.

`pipeline` is a worker's turn. `free_chunks` selects claimable chunks, `leases` claims, renews and completes them,
`open_chunk` holds one under work, and `completion` ends the batch after its last chunk. Rows without a result wait in
chunks of their own: `greylisted_rows`, `rate_limited_rows`, and `unresolved_rows` for outside providers. Other packages
use `models`, `pipeline` (`wake_workers`, `run_worker`, `check_at_once`), `host_replies`, `leases` (`find_last_number`)
and `completion`.
"""

__all__ = ["completion", "free_chunks", "host_replies", "leases", "models", "pipeline"]
