"""Clients of an agency: organisations that it makes, pays for and may act in.

`services` makes and renames them and ends the agency's access, `logos` keeps their pictures; credits go there and back
by `billing.ledger.transfers`. A client buys nothing (`billing.payments.agency_bill`) until it has ended the access.
"""

__all__ = ["api", "logo_api", "logos", "serializers", "services"]
