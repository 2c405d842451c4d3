"""From what was handed in to what will be checked: trimmed, without blanks, each address once.

`addresses` sorts the lines of a list; `operators` counts whose mailboxes they are as far as is known without
asking; `process` does both inside the limited child process that reads files (`validation.listfiles`). Pure:
no database. Others use `addresses` and `operators`; `process` is started by its name.
"""

__all__ = ["addresses", "operators"]
