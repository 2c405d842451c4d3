"""The customer's way through a payment: begin it, come back from PayPal, complete it.

`api` has the calls of the whole way, `payment_return` says what became of a purchase or of a change of
plan. It only composes: what is bought is begun in `payments` and `subscriptions`, and completed by
`provider_sync`.

The page of the return address uses `payment_return.handle_return`; nobody else imports this package.
"""

__all__ = ["api", "payment_return"]
