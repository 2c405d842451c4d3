"""One client for each outside validation service, behind one interface (`base`).

They know no customer and no database. `registry` creates the clients that have a key, `configuration` reads addresses
and keys, `mapping` translates their words into ours (docs/providers.md). `calls`, `answer_fields`, `csv_tables` and
`opinions` are shared by the clients. Other packages use `base` (errors, `Opinion`, `Provider`),
`configuration.SERVICES` and `registry.load_providers`.
"""

__all__ = ["base", "configuration", "registry"]
