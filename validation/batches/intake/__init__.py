"""From the submitted cells to the addresses to check: trimmed, repaired where that is wanted, each once.

`addresses` sorts the rows of a list, `cells` reads each cell by the customer's `choices`, `findings` is what the review
shows of it. `operators` counts the mailbox operators that are known without a DNS lookup. `process` does all of it
inside the limited child process that reads files (`validation.listfiles`), `rows_process` reads a file again there.
Pure: no database. The processes are started by their names; other packages use the others.
"""

__all__ = ["addresses", "cells", "choices", "findings", "operators", "sorted_files"]
