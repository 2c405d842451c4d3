"""Speaks SMTP with one mail host, up to RCPT TO and never further (RFC 5321).

`session` is one connection: greeting, EHLO, STARTTLS, envelopes, QUIT. `reply_stream` parses replies, bounded in size
and number. `envelopes` assigns replies to commands (RFC 2920). `stages` says how far a session got and why it ended.
Knows nothing of verdicts or limits. Others use `session` (Session), `envelopes` (Envelope), `stages` and `reply_stream`
(Reply, ReplyStream).
"""

__all__ = ["envelopes", "reply_stream", "session", "stages"]
