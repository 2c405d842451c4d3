"""Automatic work: at every heartbeat of a queue, every minute on each machine, and by the scheduler."""

ON_HEARTBEAT = {"high": ("validation.tasks.sweep",), "hooks": ("validation.tasks.sweep_webhooks",)}
"""What a queue does at every heartbeat, every 15 seconds."""
ON_MINUTE = (
    "adminpanel.monitoring.measurements.samples.store_samples",
    "emailcheck.common.api.throttles.delete_old_counts",
    "emailcheck.common.files.places.delete_leftovers",
    "validation.egress.addresses.sync_egress",
)
SCHEDULES = {
    "accounts.tasks.delete_old_rows": 1_440,
    "accounts.tasks.recheck_domains": 1_440,
    "accounts.tasks.send_deprecation_notices": 1_440,
    "accounts.tasks.sweep_accounts": 1,
    "adminpanel.monitoring.tasks.run_monitoring": 1,
    "adminpanel.tasks.refresh_balances": 15,
    "adminpanel.tasks.fail_silent_jobs": 5,
    "adminpanel.tasks.recount_credits": 1_440,
    "billing.tasks.ask_paypal": 1,
    "billing.tasks.forget_buyers": 1_440,
    "billing.tasks.keep_time": 5,
    "billing.tasks.reconcile_payments": 1_440,
    "billing.tasks.settle_refunds": 5,
    "crm.messages.contact.delete_old_messages": 1_440,
    "emailcheck.common.api.idempotency.delete_old_keys": 60,
    "emailcheck.common.files.deletions.retry_deletions": 1,
    "emailcheck.common.outbound.mail.sweep_outgoing": 1,
    "emailcheck.common.storage.erasure.empty_write_log": 60,
    "quotes.tasks.approve_due": 1,
    "quotes.tasks.sweep_quotes": 1_440,
    "validation.batches.uploads.drafts.forget_expired": 60,
    "validation.verifier.checker.delete_expired_domains": 360,
    "validation.providers.booking.delete_old_questions": 1_440,
    "validation.batches.retention.services.sweep_expired": 60,
    "validation.tasks.forget_old_webhooks": 60,
}
"""What the scheduler calls, and after how many minutes again."""
