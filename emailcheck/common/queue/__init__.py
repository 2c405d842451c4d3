"""Work in the background: the one door to the queue, the processes that do the work, and what is stuck.

`tasks.enqueue` is the only way to queue a function, by its dotted path and with ids; `broker` keeps the tasks. A
`supervisor` runs a `family` of processes: `workers` that do tasks, and a `scheduler`; `liveness` is what they show each
other, `ending` whether one was told to end. `leases` has one process at a time work on a row. `restarts` are what staff
see of the workers and request of them, `sweeps` works through many rows one by one, `stuck_tasks` finds and retries
tasks for staff.
"""

__all__ = [
    "broker",
    "child_processes",
    "ending",
    "family",
    "leases",
    "liveness",
    "models",
    "restarts",
    "scheduler",
    "stuck_tasks",
    "supervisor",
    "sweeps",
    "tasks",
    "workers",
]
