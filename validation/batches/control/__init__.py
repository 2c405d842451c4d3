"""What is done to a list from outside: cancel, pause, resume, fail, check again, free what is stuck.

`stopping` ends lists early and goes on with them, `rechecks` takes rows of a finished one up again, `stuck`
finds what stands still for the staff area. Others use `stopping`, `rechecks` and `stuck`.
"""

__all__ = ["api", "rechecks", "stopping", "stuck"]
