"""The shared core: what every app stands on, and what knows no app.

Packages by subject: `api` (errors, pages, idempotency, throttles), `queue` (tasks, workers, schedules), `outbound`
(HTTP and mail), `files` (uploads and backups), `shared_state` (metrics and rates of all processes), `storage` and
`sqlite` (the database), `logs`, `web` and `server` (requests), `request_context`, `text`, `pdf`. Beside them what is
everybody's: `errors` is the one tree of refusals, `secrecy` has ids and secrets, `ip_addresses` the one spelling of
each, `registry` and `personal` are where apps say what they have to add.
"""

__all__ = [
    "admin",
    "api",
    "demo",
    "errors",
    "files",
    "ip_addresses",
    "logs",
    "opaque_ids",
    "outbound",
    "pdf",
    "personal",
    "queue",
    "registry",
    "request_context",
    "secrecy",
    "shared_state",
    "storage",
    "text",
    "web",
]
