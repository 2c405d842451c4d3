"""Stored verdicts: the table, the evidence, and how results are written, found and removed.

`storage` turns verdicts into rows, packs their evidence, writes both with their daily counts, and finds evidence
again. `packed_verdicts` keeps verdicts that are no results yet. `index_ranges` pages and searches by the indexes.
`ids` are what the API calls them. `counting` recounts; `removal` deletes without losing totals. `repairs` finds what
was handed in. `evidence_facts` and `reason_texts` are what files say beside the verdicts. `presentation`,
`serializers` and `api` return a result through the API. Other packages use what `__all__` names. The package does not
import batches: its foreign keys to them are strings.
"""

__all__ = [
    "api",
    "counting",
    "decisions",
    "evidence_facts",
    "fields",
    "ids",
    "index_ranges",
    "models",
    "packed_verdicts",
    "presentation",
    "reason_texts",
    "removal",
    "repairs",
    "serializers",
    "storage",
]
