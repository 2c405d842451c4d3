"""Whose the rows are: organisations, who belongs to them, and what each role may do.

An organisation owns credits, lists, results, keys, webhooks, payments and quotes; a person has memberships with
roles. An account comes with an organisation of one. `models` has the tables and `OwnedQuerySet.for_org`, by which
every view loads; `roles` says what a role may do, `admission` what an organisation asks of those who work in it,
`vat_ids` how a VAT id is written. What changes memberships is the business of `accounts.team`.
"""

__all__ = ["admission", "models", "roles", "vat_ids"]
