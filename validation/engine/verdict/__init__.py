"""From evidence to verdict. Pure: the same evidence always gives the same verdict.

`evidence` has what is known of a domain before SMTP, the named checks, and the words. `verdicts` decides category,
reason and confidence, and whether and how to ask again. Others use `verdicts` (DomainVerdicts, the verdict on bad
syntax, and confidence) and `evidence` (DomainFacts).
"""

__all__ = ["evidence", "verdicts"]
