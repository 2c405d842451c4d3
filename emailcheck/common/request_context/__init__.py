"""What is known of the request that is being answered: its id, the caller's address, the API key.

Each is a context variable with its middleware; anything may read them, so this package imports nothing
but ids.
"""

__all__ = ["key_calls", "proxies", "request_ids"]
