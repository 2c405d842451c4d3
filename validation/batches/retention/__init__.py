"""The storage time of lists, and their removal: by their owner, with the account, or on expiry.

`services` has the owners' settings and the hourly sweep. `removal` deletes whole lists in slices, so that other writers
do not wait. Counters and credits stay. Other packages use `services` (`delete_batch`, `update_batch`, `sweep_expired`)
and `removal` (history cleared, account erased).
"""

__all__ = ["removal", "services"]
