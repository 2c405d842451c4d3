"""Files before their start: stored, read in a limited process, reviewed, then started or discarded.

`files` stores and reads them, `known_addresses` finds what is known of their addresses, `drafts` has the customer's
actions. Nothing is held or queued before the start. Other packages use `models.Upload`, `files`, `known_addresses` and
`drafts`.
"""

__all__ = ["api", "drafts", "files", "known_addresses", "models"]
