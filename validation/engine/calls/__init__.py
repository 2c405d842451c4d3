"""One run over many addresses: read, grouped by domain, looked up, probed and handed over.

`call` is the run, in bounded memory, with its deadline; `context` is what it needs of the verifier and how
patient it is.
Used by `verifier` and the command line (`context.Patience`).
"""

__all__ = ["call", "context"]
