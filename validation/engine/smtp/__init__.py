"""Speaks SMTP with one mail host, up to RCPT TO and never further (RFC 5321).

`session` is one connection: greeting, EHLO, STARTTLS, envelopes and their replies (RFC 2920), QUIT. `reply_stream`
parses replies, bounded in size and number. `stages` says how far a session got and why it ended. Knows nothing of
verdicts or limits. Others use `session` (Session, Envelope), `stages` and `reply_stream` (Reply, ReplyStream).
"""

__all__ = ["reply_stream", "session", "stages"]
