"""State that the processes of a machine share without the database.

`metric_files` has metrics in mapped files, one set a process, by the names of `process_name`; `files` has the locks
that all of them take, and a file of rows. `machines` and `models` have the machines that run.
"""

__all__ = ["files", "machines", "metric_files", "models", "process_name"]
