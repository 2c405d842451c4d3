"""Free samples: a hundred addresses of a list, checked in full before its start.

    ask:     `services` draws them and keeps the sample, once for each content
    work:    `runs` checks them, in a worker beside its lists
    review:  `estimates` makes the figures of the counts; the verdicts stay hidden
    start:   `verdicts` gives them to the list, if it runs full checks within 30 days

Other packages use `models`, `services`, `runs`, `verdicts`, `presentation` and `serializers`.
"""

__all__ = ["models", "presentation", "runs", "serializers", "services", "verdicts"]
