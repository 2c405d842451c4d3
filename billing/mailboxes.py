"""Which mailboxes had their sign-up credits: kept as keyed hashes, also after the account is gone."""

from billing.models import CreditedMailbox
from emailcheck.common import registry, sealing


def may_have_credits(email: str) -> bool:
    """Whether the mailbox gets sign-up credits: once, and never where mailboxes are thrown away after use."""
    return not registry.mailbox(email).disposable and remember(email)


def remember(email: str) -> bool:
    """Note that the owner of a mailbox had the credits. True the first time."""
    digest = sealing.keyed_hash(registry.mailbox(email).canonical, purpose="mailbox")
    return CreditedMailbox.objects.get_or_create(pk=digest)[1]
