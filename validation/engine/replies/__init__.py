"""What an SMTP reply says: about the recipient, about us, or about neither.

`classifier` reads a reply by stage, code, enhanced code (RFC 3463), operator and text; `readings` is its result.
`phrases` is a small grammar over the words that `lexicon` sorts by meaning. `operator_meanings` holds what single
operators are known to mean. Pure, so it can be measured against corpora (`benchmarks/replies.py`). Others use
`classifier.classify` and `readings` (Reading, Subject).
"""

__all__ = ["classifier", "readings"]
