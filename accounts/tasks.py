"""What the queue does for accounts."""

from datetime import timedelta

from django.utils import timezone

from accounts.access.models import SignIn
from accounts.activity import audit_log
from accounts.keys import deprecation_notices, request_log
from accounts.privacy import services as privacy
from accounts.rules import domains
from accounts.signin import mailbox_requests
from accounts.signin.models import MailboxRequest, OneTimeToken, Purpose
from accounts.team import deletion
from emailcheck.common.queue import tasks

LATE_AFTER = timedelta(minutes=1)
GIVE_UP_AFTER = timedelta(days=1)
# Links that were used still say so for a month, and a device of last month is not new.
KEPT_FOR = timedelta(days=30)


def answer_request(request_id: int) -> None:
    """Answer a request about an address."""
    mailbox_requests.answer_request(request_id=request_id)


def send_deprecation_notices() -> None:
    """Mail who develops in organisations whose keys use something deprecated, once a month."""
    deprecation_notices.send_notices()


def erase_account(user_id: int) -> None:
    """Delete what hung on a closed account."""
    privacy.erase_account(user_id=user_id)


def erase_organisation(organisation_id: int) -> None:
    """Delete what hung on a closed organisation."""
    deletion.erase_organisation(organisation_id=organisation_id)


def recheck_domains() -> None:
    """Have every proved domain asked for again."""
    domains.queue_rechecks()


def recheck_domain(domain_id: int) -> None:
    """Ask DNS for one."""
    domains.recheck_domain(domain_id=domain_id)


def sweep_accounts() -> None:
    """Go on with what a process left undone when it died."""
    _requeue_requests()
    privacy.resume_erasing()
    deletion.resume_erasing()


def _requeue_requests() -> None:
    """Wake requests that were not answered, because a process died or two were made at once."""
    now = timezone.now()
    MailboxRequest.objects.filter(created_at__lt=now - GIVE_UP_AFTER).delete()
    late = MailboxRequest.objects.filter(created_at__lt=now - LATE_AFTER)
    for request_id in late.values_list("pk", flat=True)[:1_000]:
        tasks.enqueue("accounts.tasks.answer_request", request_id, queue="mail")


def delete_old_rows() -> None:
    """Delete sessions and links that ended a month ago, calls that were made then, and activity of long ago."""
    request_log.delete_old_requests()
    audit_log.delete_old_activity()
    now = timezone.now()
    SignIn.objects.filter(ended_at__lt=now - KEPT_FOR).delete()
    SignIn.objects.filter(expires_at__lt=now - KEPT_FOR).delete()
    # Links to an unconfirmed address show how many people registered it.
    links = OneTimeToken.objects.exclude(purpose=Purpose.VERIFY, user__email_verified_at=None)
    links.filter(expires_at__lt=now - KEPT_FOR).delete()
