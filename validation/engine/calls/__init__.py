"""One run over many addresses: read, group by domain, look up, probe, hand over.

`call` is the run, in bounded memory and with a deadline. `context` is what a run needs of the verifier, and its
patience. Used by `verifier` and the command line (`context.Patience`).
"""

__all__ = ["call", "context"]
