"""Invoices and credit notes: numbered without gaps, frozen when they are issued.

`services` issues one for each payment and refund, `pdf` draws it, `emails` sends it. `open_invoices` has those that
were written before they were paid; `buyers` says who bought, and forgets it after the legal time.

Others use `services`, `open_invoices`, `buyers`, `emails`, and `wording` for amounts and states in words.
"""

__all__ = ["api", "buyers", "details_api", "emails", "models", "open_invoices", "services", "wording"]
