"""The count of sessions and recipients at mail operators, shared by all processes and machines.

`machine_file` counts in locked bytes of a file on one machine, `redis_leases` by leases in Redis for all machines
(`redis_script` has the connection and the Lua script). While Redis is unavailable each machine uses its share
(`shares`) among the machines seen in the database (`heartbeats`). `turns` keeps the processes at a pair fair. Only
`validation.verifier.checker` uses this package.
"""

__all__ = ["heartbeats", "machine_file", "redis_leases"]
