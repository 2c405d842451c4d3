"""Stored verdicts: the table, the evidence, and how results are written, found and removed.

`storage` turns verdicts into rows, packs their evidence, writes both with their daily counts, and finds evidence
again. `index_ranges` pages and searches by the indexes. `counting` recounts; `removal` deletes
without losing totals. `presentation`, `serializers` and `api` return a result through the API. Other packages use
`models`, `decisions`, `fields`, `storage`, `removal`, `index_ranges`, `presentation` and `serializers`. The package
does not import batches: its foreign keys to them are strings.
"""

__all__ = [
    "api",
    "counting",
    "decisions",
    "fields",
    "index_ranges",
    "models",
    "presentation",
    "queries",
    "removal",
    "serializers",
    "storage",
]
