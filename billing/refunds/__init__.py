"""Money that goes back: asked for by staff, made at PayPal, or charged back by a bank.

`services` refunds a payment and does what follows, once: credits are clawed back, the plan ends, a credit
note is issued. `clawbacks` knows which credits a payment brought. `guarantee` says whether the 30-day
guarantee holds.

Staff's calls use `services.refund_payment`; what is told by the provider comes through
`services.complete_refund`.
"""

__all__ = ["clawbacks", "guarantee", "services"]
