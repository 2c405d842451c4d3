"""How long a list takes: the estimate before its start, and speed and time left while it runs.

`estimates` knows our limits at the operators of its rows, `tracking` what was measured, and what the rows
wait for. Others use both, and their shapes in `serializers`.
"""

__all__ = ["estimates", "serializers", "tracking"]
