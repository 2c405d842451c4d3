"""The rest of a list that was cut to its credits, checked later.

`services` reads the kept file again from where the list was cut, and goes on with the same list. Other packages use
`services`.
"""

__all__ = ["api", "serializers", "services"]
