"""Free samples: a hundred addresses of a list, checked before its start."""

__all__ = ["models"]
