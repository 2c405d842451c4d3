"""State that the processes of a machine share without the database.

`metric_files` has metrics in mapped files, one set a process, by the names of `process_name`; `request_times` when
callers' requests came, in Redis or in a file; `embedded` is such a file, and `file_locks` what all of them lock.
`models` has the machines that share what is in Redis.
"""

__all__ = ["embedded", "file_locks", "metric_files", "models", "process_name", "request_times"]
