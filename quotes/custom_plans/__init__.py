"""Plans that staff make and assign to customers one by one.

`services` creates, edits, clones and assigns them; what was assigned keeps its terms. Approving a plan
request adds its plan here.
"""

__all__ = ["api", "models"]
