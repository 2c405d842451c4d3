"""Long work in the background: started once, done by one worker, ended whatever becomes of that worker.

`services` starts a job, runs it under a lease and fails it when its worker fell silent. Backups and the
optimisation of the database are jobs.
"""

__all__ = ["models", "services"]
