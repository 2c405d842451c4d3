"""The report of a finished list: one page, with figures and advice, without any address.

`figures` gathers what stands in it, `wording` has its words, `pdf` draws it.
"""

__all__ = ["api"]
