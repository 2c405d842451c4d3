"""Files before their start: stored, read in a limited process, reviewed, then started or thrown away.

`files` stores and reads them, `drafts` is what a customer does with one; nothing is held or queued before
the start. Others use `models.Upload`, `files.discard` and `drafts`.
"""

__all__ = ["api", "drafts", "files", "models"]
