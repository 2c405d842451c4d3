"""From evidence to verdict. Pure: the same evidence always gives the same verdict.

`domain_facts` is what is known of a domain before SMTP. `evidence` lists the named checks. `verdicts` decides category
and reason, `confidence` the number, `sentences` the words. `follow_ups` says whether and how to ask again.
`shared_verdict` is what all addresses of a domain with the same answer share. Others use `verdicts` (DomainVerdicts and
the verdict on bad syntax), `domain_facts`, and `evidence` for checks made before a probe.
"""

__all__ = ["confidence", "domain_facts", "evidence", "follow_ups", "verdicts"]
