"""What PayPal says about purchases, agreements and payments becomes our state.

A webhook is only a hint: `webhooks` verifies it, asks PayPal, and acts on the answer. `polling` is the
one way to ask about a purchase, for returns, events and the `sweeper` alike; `orders` and `agreements`
act on the answers. Asking and acting are two steps, because nobody waits for PayPal inside a transaction.

`reconciliation` and `next_charges` compare with PayPal's lists each day. Others use `polling`, the tasks
of billing, and the staff's page of stuck work `webhooks`.
"""

__all__ = ["agreements", "comparison", "models", "next_charges", "polling", "reconciliation", "sweeper", "webhooks"]
