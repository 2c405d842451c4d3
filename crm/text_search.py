"""Rows that contain every word of a search."""

from django.db.models import Q


def match_words(search: str, *fields: str) -> Q:
    """Match rows that contain each word in one of the fields."""
    found = Q()
    for word in search.split():
        found &= Q(*[(f"{name}__icontains", word) for name in fields], _connector=Q.OR)
    return found
