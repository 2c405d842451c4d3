"""The engine inside the product: one warm engine per process, and its stored memory.

`checker` runs the engine on a thread of its own. `limits` counts sessions over processes and machines.
`catch_all_cache` stores facts about domains in the database. `mailboxes` recognises spellings of one mailbox.
`selfcheck`, with `dns_reputation`, tests whether this machine can verify at all. Other packages use `checker`
(`checker()`, `Run`, `wait_for_any`), `catch_all_cache` and `mailboxes.mailbox_of`.
"""

__all__ = ["catch_all_cache", "checker", "mailboxes", "models", "selfcheck"]
