"""Signals from the credits; sent inside the transaction of the change."""

from django.dispatch import Signal

credits_moved = Signal()
"""`organisation_id`, `charged`: credits came, or were charged; `level`, where it is known, is how full it is now."""

quota_reached = Signal()
"""`organisation`, `level` (`warning` or `exceeded`), `used`, `limit`, `resets_at`: once a credit month for each level.

With `exceeded` comes `shortage` (`billing.usage.quota.Shortage`): nothing is left, or less than was requested."""

credits_low = Signal()
"""`organisation`, `balance`, `low_balance` (what its people set), `at`: the balance fell below that; sent once until it
was above again."""

payment_captured = Signal()
"""`payment`: money came in, for the first time that we know of; sent once for each payment."""

payment_held = Signal()
"""`payment`: the provider holds it back; sent once for each payment."""

payment_not_made = Signal()
"""`payment`: it was held back, and the provider has declined it since, or knows no more of it."""

payment_refunded = Signal()
"""`refund`: all of a payment was given back, by staff or by a chargeback; sent once for each payment."""

agreement_changed = Signal()
"""`agreement`, `before`, `found`: PayPal says that an agreement has left the state `before`, or that a payment
failed or was made up for; `found` is the provider's `Subscription`."""
