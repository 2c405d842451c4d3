"""From evidence to verdict. Pure: the same evidence always gives the same verdict.

`evidence` has what is known of a domain before SMTP, the named checks, and the words. `verdicts` decides category and
reason, and whether and how to ask again, `confidence` the number. Others use `verdicts` (DomainVerdicts and
the verdict on bad syntax) and `evidence` (DomainFacts).
"""

__all__ = ["confidence", "evidence", "verdicts"]
