"""What the scheduler calls; each may run twice, late or at once with itself."""

import logging

from billing.invoices import buyers, open_invoices
from billing.ledger import services as ledger
from billing.payments import agreement_sync
from billing.provider_sync import agreements, next_charges, reconciliation, sweeper
from billing.refunds import services as refunds
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle import cancellations, pauses
from billing.subscriptions.lifecycle.trials import announce_trial_ends, end_due_trials

log = logging.getLogger(__name__)
_NAMED = 20  # one mistake can touch every account


def keep_time() -> None:
    """Announce and end trials, write off what has expired, grant the months that have begun, resume and end plans.

    Remind of invoices that were due.
    """
    announce_trial_ends()
    end_due_trials()
    subscriptions.write_off_due_credits()
    subscriptions.renew_due_accounts()
    pauses.resume_due_plans()
    cancellations.end_due_plans()
    open_invoices.send_due_reminders()


def reconcile() -> list[str]:
    """Recount all credits; answers the differences.

    The first are errors in the log, and how many more there are is another.
    """
    differences = ledger.reconcile_ledger()
    for difference in differences[:_NAMED]:
        log.error("credits differ: %s", difference)
    if len(differences) > _NAMED:
        log.error("credits differ: %d more, which manage.py reconcile names", len(differences) - _NAMED)
    return differences


def forget_buyers() -> None:
    """Take names and addresses out of the documents of deleted accounts when the legal time is over."""
    count = buyers.forget_buyers()
    if count:
        log.info("%d documents do not say any more who bought", count)


def ask_paypal() -> None:
    """Poll open purchases and running agreements; cancel unwanted ones."""
    sweeper.sweep_provider()
    agreements.cancel_unwanted_agreements()
    agreement_sync.sync_all_agreements()


def reconcile_payments() -> None:
    """Compare our payments with PayPal's list, and what it will charge.

    Each difference, and each row that could not be compared, is an error in the log.
    """
    for what, compared in (
        ("charges", next_charges.compare_next_charges()),
        ("payments", reconciliation.compare_payments()),
    ):
        for line in compared.differ:
            log.error("%s differ: %s", what, line)
        for line in compared.unknown:
            log.error("%s are not known: %s", what, line)


def settle_refunds() -> None:
    """Finish the refunds that a crash or a silent provider left open."""
    refunds.resume_refunds()


def end_unwanted_agreements() -> None:
    """Cancel the agreements at PayPal that have no account or purchase."""
    agreements.cancel_unwanted_agreements()


def follow_account(organisation_id: int) -> None:
    """Suspend the agreements of a suspended account, or let them go on."""
    cancellations.sync_account_agreements(organisation_id=organisation_id)
