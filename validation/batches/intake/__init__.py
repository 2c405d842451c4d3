"""From the submitted lines to the addresses to check: trimmed, without blanks, each once.

`addresses` sorts the lines of a list. `operators` counts the mailbox operators that are known without a DNS lookup.
`process` does both inside the limited child process that reads files (`validation.listfiles`). Pure: no database. Other
packages use `addresses` and `operators`; `process` is started by its name.
"""

__all__ = ["addresses", "operators"]
