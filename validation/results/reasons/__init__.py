"""Why a verdict has its category: the reasons with what they mean and cost.

`catalogue` holds them as data, `texts` gives the sentence of one for files, and `api` returns all.
"""

__all__ = ["api", "catalogue", "texts"]
