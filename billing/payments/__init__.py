"""Money that comes in: purchases, agreements, payments and how they were paid with.

`purchases` begins an order or an agreement at PayPal; `fulfilment` ends a purchase and gives what it
brings, which is registered by whoever sells it; `records` is the only code that writes payments down, and
sends the signals. `agreement_sync` makes agreements at PayPal follow ours.

Others use those four, `agency_bill` (who may buy), `pending` (payments that PayPal holds back), `wording`,
`methods`, and `models`.
`purchase_states` says what may become of a purchase, `purchase_options` has our plans in PayPal's
catalogue, `paypal` is the client. Subscriptions, invoices and refunds lie above and are not known here.
"""

__all__ = [
    "agency_bill",
    "agreement_sync",
    "api",
    "emails",
    "fulfilment",
    "methods",
    "models",
    "paypal",
    "pending",
    "purchases",
    "records",
    "serializers",
    "wording",
]
