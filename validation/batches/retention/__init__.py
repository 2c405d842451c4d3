"""How long lists are kept, and their removal: by their owner, with the account, or when their time is over.

`services` holds the choices of owners and the hourly sweep; `removal` deletes whole lists in slices, so that
nobody waits. Counters and credits stay. Others use `services` (`delete`, `choose`, `sweep`) and `removal`
(history cleared, account erased).
"""

__all__ = ["removal", "services"]
