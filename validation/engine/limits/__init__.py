"""How much may be asked of each mail operator, and which worker may go next.

Limits belong to the pair of an egress address and an operator. `operators` holds an operator's pairs, slots and queues.
`admission` hands out sessions and recipients. `shared_limits` is the protocol for counts that several processes share,
and an implementation for one process. `warm_up` is the arithmetic below. Others use `admission`
(Admission), `operators` (Operator) and `shared_limits` (Lane, SharedLimits and its data). The product counts in Redis
behind `SharedLimits`.
"""

__all__ = ["admission", "operators", "shared_limits", "warm_up"]
