"""The calls of staff about payments, refunds and open invoices; the work is done in `billing`.

`api` lists and refunds payments, and marks open invoices as paid.
"""

__all__ = ["api"]
