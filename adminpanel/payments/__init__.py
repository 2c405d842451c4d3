"""The calls of staff about payments, refunds and open invoices; the work is done in `billing`."""
