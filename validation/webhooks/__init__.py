"""Webhooks for customers' endpoints: events, signed deliveries, attempts and replays.

`services` manages endpoints. `events` creates deliveries in the transaction of the event. `queue` leases due ones,
`worker` sends them with `posting` and `signing`, `retry_schedule` sets the next attempt. `endpoint_urls` refuses
internal addresses, `stuck` shows overdue deliveries to staff. Other packages use `events` (a single check was made),
`services` (the hosts of an account, all off) and `models`.
"""

__all__ = ["api", "events", "examples", "models", "program_api", "retry_schedule", "services", "stuck", "worker"]
