"""What more workers and ten million results cost on PostgreSQL: `make bench-scale`.

`workers` runs worker processes with an engine that sleeps; `pages` makes every page's calls over results that `seeding`
stores by SQL.
"""
