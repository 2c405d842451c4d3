"""What customers' endpoints hear: events, signed deliveries, tries and replays.

`services` is what a customer does with an endpoint; `events` writes deliveries in the transaction of what
they tell; `queue` leases what is due, `worker` sends it with `posting` and `signing`, `retry_schedule` says
when again. `endpoint_urls` refuses what leads inside, `stuck` shows staff what nobody sends. Others use
`events` (a single check was made), `services` (the hosts of an account, all off) and `models`.
"""

__all__ = ["api", "events", "examples", "models", "retry_schedule", "services", "stuck", "worker"]
