"""The engine inside the product: one warm engine per process, and what the product remembers for it.

`checker` runs the engine on a thread of its own; `limits` counts sessions over processes and machines;
`catch_all_cache` keeps what was learned about domains in the database; `mailboxes` tells spellings of one
mailbox. `selfcheck`, with `dns_reputation`, says whether this machine can verify at all. Others use
`checker` (`checker()`, `Run`, `wait_for_any`), `catch_all_cache` and `mailboxes.mailbox_of`.
"""

__all__ = ["catch_all_cache", "checker", "mailboxes", "models", "selfcheck"]
