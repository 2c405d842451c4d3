"""The pages of the simulated world: its guide, switches, outbox and inboxes, and the routes of all it plays.

`app` puts the players' routes together; the runtime serves it.
"""

__all__ = ["app"]
