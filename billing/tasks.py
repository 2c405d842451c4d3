"""What the scheduler calls; each may run twice, late or at once with itself."""

import logging

from billing import (
    agreements,
    endings,
    following,
    invoice_buyers,
    next_charges,
    open_invoices,
    pauses,
    reconciliation,
    refunds,
    services,
    subscriptions,
    sweeper,
)

log = logging.getLogger(__name__)
_NAMED = 20  # one mistake can touch every account


def keep_time() -> None:
    """Announce and end trials, write off what has expired, grant the months that have begun, resume and end plans.

    Remind of invoices that were due.
    """
    subscriptions.announce_trial_ends()
    subscriptions.end_trials()
    subscriptions.write_off_due()
    subscriptions.renew_due()
    pauses.resume_due()
    endings.end_due()
    open_invoices.remind()


def reconcile() -> None:
    """Recount all credits; the first differences are errors in the log, and how many more there are is another."""
    differences = services.reconcile()
    for difference in differences[:_NAMED]:
        log.error("credits differ: %s", difference)
    if len(differences) > _NAMED:
        log.error("credits differ: %d more, which manage.py reconcile names", len(differences) - _NAMED)


def forget_buyers() -> None:
    """Take names and addresses out of the documents of deleted accounts when the legal time is over."""
    count = invoice_buyers.forget_buyers()
    if count:
        log.info("%d documents do not say any more who bought", count)


def ask_paypal() -> None:
    """Ask about open purchases and running agreements; end those that nobody wants."""
    sweeper.sweep()
    agreements.end_unwanted()
    following.follow_all()


def reconcile_payments() -> None:
    """Compare our payments with PayPal's list, and what it will charge.

    Each difference, and each thing that PayPal could not be asked about, is an error in the log.
    """
    for what, compared in (("charges", next_charges.compare()), ("payments", reconciliation.compare())):
        for line in compared.differ:
            log.error("%s differ: %s", what, line)
        for line in compared.unknown:
            log.error("%s are not known: %s", what, line)


def settle_refunds() -> None:
    """Finish the refunds that a crash or a silent provider left open."""
    refunds.resume()


def end_unwanted_agreements() -> None:
    """Cancel the agreements at PayPal that run for nobody."""
    agreements.end_unwanted()


def follow_account(user_id: int) -> None:
    """Suspend the agreements of a suspended account, or let them go on."""
    endings.follow_account(user_id=user_id)
