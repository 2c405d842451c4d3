"""Verdicts as stored: the table, its evidence, and how results are written, found and removed.

`storage` turns verdicts into rows and writes them with their daily counts; `evidence_pages` packs what they
rest on; `index_ranges` pages and searches by the indexes; `counting` recounts and `removal` deletes without
losing totals. `presentation`, `serializers` and `api` are a result as the API answers it. Others use
`models`, `storage`, `removal`, `index_ranges`, `presentation` and `serializers`. It does not import batches:
the foreign keys to them are strings.
"""

__all__ = [
    "api",
    "counting",
    "evidence_pages",
    "index_ranges",
    "models",
    "presentation",
    "queries",
    "removal",
    "serializers",
    "storage",
]
