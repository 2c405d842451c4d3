"""Regular proofs of what must hold: the recount of all credits, the restore of the newest backup; the last of each.

`services` stores and reads them. Other packages use both.
"""

__all__ = ["models", "services"]
