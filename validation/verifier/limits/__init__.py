"""The count of sessions and recipients at mail operators that all processes and machines share.

`machine_file` counts in locked bytes of a file of one machine, `redis_leases` by leases in Redis for all
machines (`redis_script` holds the connection and the Lua scripts). While Redis is away each machine takes
its share (`shares`) by the machines that the database has heard from (`heartbeats`). `turns` keeps the
processes of a pair fair. Only `validation.verifier.checker` uses it.
"""

__all__ = ["heartbeats", "machine_file", "redis_leases"]
