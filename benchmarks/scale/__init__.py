"""What reviews, more workers and ten million results cost: `make bench-scale`.

`reviews` compares the reading of a file with doing nothing. `workers` runs worker processes with an engine that sleeps,
`pages` makes every page's calls over results that `seeding` stores by SQL, both on PostgreSQL.
"""
