"""Work in the background: the one door to the queue, the supervisor of all processes, and what is stuck.

`tasks.enqueue` is the only way to queue a function, by its dotted path and with ids; `sweeps` works
through many rows one by one, `supervisor` starts and restarts the parts of a machine, `stuck_tasks` finds
and retries tasks for staff.
"""

__all__ = ["child_processes", "models", "pipes", "restarts", "stuck_tasks", "supervisor", "sweeps", "tasks"]
