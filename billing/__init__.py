"""Money and credits.

From low to high: `catalogue` (plans, packs, prices), `ledger` (the only code that moves credits), `payments` with the
gateway to PayPal, `subscriptions`, `invoices`, `referrals` and `usage`, `refunds`, `provider_sync` (what PayPal
reports), `checkout` (the return of a buyer) and `reports` for staff. ADR 0037 says why in this order.
"""
