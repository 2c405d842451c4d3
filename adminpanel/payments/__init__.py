"""The calls of staff about payments, refunds and open invoices; the work is done in `billing`.

`api` lists and refunds payments, `invoice_api` notes open invoices as paid; the routes use both.
"""

__all__ = ["api", "invoice_api"]
