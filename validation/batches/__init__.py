"""The life of a list, from its submission until its results are removed.

`services` starts a pasted list, `uploads` an uploaded file. `intake` sorts the addresses, `chunks` are the parts that
workers check, `control` cancels, pauses, resumes and re-checks, `reuse` takes over earlier verdicts, `samples` are free
samples before the start, `rest` checks what was cut off, `progress` measures speed and time left, `retention` removes
expired lists. `coverage` decides which checks a list runs and how its remaining rows are paid for. `rankings` counts
what only its rows know once it has ended. Other packages use `models`, `services`, `queries.load_batch`, `rankings`,
`presentation` and `serializers`.
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
    "rankings",
    "receivers",
    "repairs",
    "rest",
    "retention",
    "reuse",
    "samples",
    "serializers",
    "uploads",
]
