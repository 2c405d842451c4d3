"""Who reads lists: a member of an organisation as far as their role allows, or a key as far as that of its maker.

`readers.Reader` decides which lists there are for whom; the querysets of lists and results take one (`visible_to`).
`calling` says who reads in a call, `makers` who starts what.
"""

__all__ = ["calling", "makers", "readers"]
