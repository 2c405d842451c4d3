"""How much may be asked of each mail operator, and who may go next.

Limits belong to the pair of an egress address and an operator (`pairs`); `operators` holds an operator's
pairs, slots and line; `admission` hands out sessions and recipients; `shared_limits` is the count that
several processes share, as a protocol, and the one for a process alone. `recipient_meter`, `pace` and
`warm_up` are the arithmetic below.
Others use `admission` (Admission), `operators` (Operator) and `shared_limits` (Lane, SharedLimits and its
data); the product counts in Redis behind `SharedLimits`.
"""

__all__ = ["admission", "operators", "pace", "pairs", "shared_limits", "warm_up"]
