"""What every machine counts and measures, once a minute, and the figures made of it.

`samples` stores the counts of this machine, `machine` measures it, `queues` how long tasks wait;
`figures` sums samples over a window for alerts, the overview and the status page.
"""

__all__ = ["figures", "machine", "models", "queues"]
