"""Files before their start: stored, read in a limited process, reviewed, then started or discarded.

`files` stores and reads them, `drafts` has the customer's actions. Nothing is held or queued before the start. Other
packages use `models.Upload`, `files.discard_file` and `drafts`.
"""

__all__ = ["api", "drafts", "files", "models"]
