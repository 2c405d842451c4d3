"""One client for each outside validation service, behind one interface (`base`).

They know no customer and no database. `registry` makes those that have a key, `configuration` reads where
they are and our keys there, `mapping` says what their words mean in ours (docs/providers.md). `calls`,
`answer_fields`, `csv_tables` and `opinions` are what they have in common. Others use `base` (errors,
`Opinion`, `Provider`), `configuration.SERVICES` and `registry.providers`.
"""

__all__ = ["base", "configuration", "registry"]
