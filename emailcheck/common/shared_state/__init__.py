"""State that the processes of a machine share without the database.

`counters` are memory-mapped files, one a process, for metrics; `rate_files` hold the times of recent
requests for `api.throttles`. `models` has what is in the database instead where there are several
machines.
"""

__all__ = ["counters", "models", "rate_files"]
