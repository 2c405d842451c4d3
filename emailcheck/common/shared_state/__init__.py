"""State that the processes of a machine share without the database.

`metric_files` has metrics in mapped files, one set a process, by the names of `process_name`; `rate_files` hold the
times of recent requests for `api.throttles`; `file_locks` are what all of them lock. `models` has what is in the
database instead where there are several machines.
"""

__all__ = ["file_locks", "metric_files", "models", "process_name", "rate_files"]
