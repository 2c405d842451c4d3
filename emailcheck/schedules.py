"""What happens by itself: at every pulse of a queue, every minute on each machine, and by the scheduler."""

ON_PULSE = {"high": ("validation.tasks.sweep",), "hooks": ("validation.tasks.sweep_webhooks",)}
"""What a queue does at every pulse of the watchdog, every 15 seconds."""
ON_MINUTE = ("adminpanel.monitoring.samples.take", "validation.egress.sync_egress")
SCHEDULES = {
    "accounts.tasks.forget_old": 1_440,
    "accounts.tasks.sweep": 1,
    "adminpanel.monitoring.tasks.look": 1,
    "adminpanel.tasks.ask_balances": 15,
    "adminpanel.tasks.fail_silent_jobs": 5,
    "billing.tasks.ask_paypal": 1,
    "billing.tasks.forget_buyers": 1_440,
    "billing.tasks.keep_time": 5,
    "billing.tasks.reconcile": 1_440,
    "billing.tasks.reconcile_payments": 1_440,
    "billing.tasks.settle_refunds": 5,
    "crm.messages.forget_old": 1_440,
    "emailcheck.common.idempotency.forget_old_keys": 60,
    "emailcheck.common.mail.sweep": 1,
    "emailcheck.common.storage.erasure.empty_log": 60,
    "emailcheck.common.throttles.forget_old": 10,
    "quotes.tasks.approve_due": 1,
    "quotes.tasks.keep_time": 1_440,
    "validation.drafts.forget_expired": 60,
    "validation.memory.forget_expired": 360,
    "validation.provider_booking.forget_old": 1_440,
    "validation.retention.sweep": 60,
    "validation.tasks.forget_old_webhooks": 60,
}
"""What the scheduler calls, and after how many minutes again."""
