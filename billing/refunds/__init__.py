"""Refunds: by staff, at PayPal, or charged back by a bank.

`services` refunds a payment and does what follows, once: credits are clawed back, the plan ends, a credit
note is issued. `clawbacks` knows which credits a payment brought. `guarantee` says whether the 30-day
guarantee holds.

Staff's calls use `services.refund_payment`; reports of the provider come through
`services.complete_refund`.
"""

__all__ = ["clawbacks", "guarantee", "services"]
