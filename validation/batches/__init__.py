"""The life of a list, from what was handed in until its results have gone.

`services` starts a pasted list, `uploads` an uploaded file; `intake` sorts the addresses; `chunks` are the
parts that workers check; `control` cancels, pauses, resumes and re-checks; `progress` tells how far it is
and how long it takes; `retention` removes what has had its time. `coverage` says which checks a list runs,
and how its rest is paid for. Others use `models`, `services`, `queries.batch_for`, `presentation` and
`serializers`.
"""

__all__ = [
    "api",
    "chunks",
    "control",
    "coverage",
    "intake",
    "models",
    "presentation",
    "queries",
    "receivers",
    "retention",
    "serializers",
    "uploads",
]
