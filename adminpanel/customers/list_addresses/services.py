"""Showing staff what customers uploaded, recorded in the customer's activity with name and reason."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.access.viewing_tokens import require_viewable
from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.staff import services as staff
from accounts.users.models import User
from emailcheck.common.errors import NotFound
from validation.access.readers import Reader
from validation.batches.queries import load_batch
from validation.history import result_pages
from validation.history.queries import list_results_of_address
from validation.results.models import Result

PAGE_ROWS = 50
VIEW_LIFETIME = timedelta(minutes=15)
NOTHING_KEPT = "No checked address of this list is kept"


@transaction.atomic
def show_list_addresses(*, user: User, batch_id: str, by: User, reason: str, cursor: str) -> result_pages.ResultsPage:
    """A page of the checked addresses of a list, in its order, and a line in the activity of its owner.

    All pages that one member of the staff reads with one reason are one line for 15 minutes. Raises `NotFound` for
    unknown and foreign lists and those without addresses, `Refused` for accounts of staff and protected ones,
    `BadInput` for a cursor that is not ours; nothing is noted then.
    """
    require_viewable(user)
    batch = load_batch(Reader(user.own_organisation), batch_id)
    page = result_pages.page_results(batch, result_pages.ResultsFilter(), cursor=cursor, sort="row", limit=PAGE_ROWS)
    if not page.rows:
        raise NotFound(NOTHING_KEPT)
    action = f"Staff looked at the addresses of list {batch.public_id}: {reason}"
    staff.lock_account(user)  # of several pages at once the first notes it
    noted = Activity.objects.filter(user=user).filter(staff_id=by.pk, action=action)
    if not noted.filter(created_at__gt=timezone.now() - VIEW_LIFETIME).exists():
        _record_view(user, by, action, batch.public_id, reason)
    return page


@transaction.atomic
def find_address(*, user: User, address: str, by: User, reason: str) -> list[Result]:
    """The newest results of an account for one address, with their lists. The search is recorded.

    A search without a result is recorded too. Raises `Refused` as `show_list_addresses`.
    """
    require_viewable(user)
    _record_view(user, by, f"Staff searched the lists for one address: {reason}", f"account {user.pk}", reason)
    return list_results_of_address(user.own_organisation, address, limit=PAGE_ROWS)


def _record_view(user: User, by: User, action: str, target: str, reason: str) -> None:
    changes = {"reason": reason}
    audit_log.record_activity(
        user=user, kind=ActivityKind.STAFF, action=action, staff=by, target=target, changes=changes
    )
