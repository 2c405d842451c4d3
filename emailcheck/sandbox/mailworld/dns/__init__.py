"""The simulated name server.

`zone` holds the records of the world and answers one question, `texts` the TXT records that somebody adds to it,
`server` speaks DNS over UDP and TCP (RFC 1035, RFC 7766).
"""

__all__ = ["server", "texts", "zone"]
