"""Looking up a domain in the DNS, with real times to live.

`resolver` sends questions by UDP and TCP (RFC 1035) and says what an answer is; `plain_messages` reads the
common answers without a library; `lookups` keeps answers (RFC 2308, RFC 8767) and finds the hosts that take
mail for a domain (RFC 5321 section 5.1, null MX of RFC 7505).
Others use `resolver` (Resolver, WireResolver, Found, RecordType) and `lookups` (CachingResolver, MailHosts).
"""

__all__ = ["lookups", "resolver"]
