"""The simulated name server.

`zone` holds the records of the world and answers one question, `server` speaks DNS over UDP and TCP (RFC
1035, RFC 7766).
"""

__all__ = ["server", "zone"]
