"""Running the system: overview, logs, actions, stuck work, audit log and previews of mails.

`actions` are what staff may do to the running system, `stuck_work` collects work past its deadline from
every app, `alerts` gives the monitoring its conditions about backups, proofs and stuck work, `gauges` what Prometheus
reads from the database.
"""

__all__ = ["alerts", "api", "database", "gauges"]
