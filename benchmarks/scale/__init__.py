"""What several machines and ten million results cost: `python -m benchmarks.scale`.

`workers` runs worker processes with an engine that sleeps; `pages` makes every page's calls over results that `seeding`
stores by SQL.
"""
