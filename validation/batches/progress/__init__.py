"""The duration of a list: an estimate before its start, speed and time left while it runs.

`estimates` uses our limits at the operators of its rows, `tracking` measurements and the waiting rows. Other packages
use both, the rows of `waits`, and their shapes in `serializers`.
"""

__all__ = ["estimates", "serializers", "tracking", "waits"]
