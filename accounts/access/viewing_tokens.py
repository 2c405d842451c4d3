"""Whether a staff view of an account goes on, and which accounts may be viewed."""

from django.http import HttpRequest
from django.utils import timezone

from accounts.access.models import Viewing
from accounts.users.models import User
from emailcheck.common.errors import Refused

VIEWING_CLAIM = "viewing"


def find_viewing(viewing_id: object) -> Viewing | None:
    """The viewing with that id, while it lasts."""
    if type(viewing_id) is not int:
        return None
    now = timezone.now()
    open_ones = Viewing.objects.select_related("user", "sign_in__user").filter(
        ended_at=None, expires_at__gt=now, sign_in__ended_at=None, sign_in__expires_at__gt=now
    )
    found = open_ones.filter(pk=viewing_id).first()
    if found is None or not found.user.is_active or not _is_viewable(found.user):
        return None
    return found if found.sign_in.user.is_staff else None


def current_viewing(request: HttpRequest) -> Viewing | None:
    """The viewing that the page is shown in, if any; pages of staff are never part of one."""
    found: Viewing | None = getattr(request, "viewing", None)
    return found


def require_viewable(user: User) -> None:
    """Raises `Refused` for accounts of staff and protected ones."""
    if not _is_viewable(user):
        raise Refused("This account is protected", code="PROTECTED_ACCOUNT")


def _is_viewable(user: User) -> bool:
    return not (user.is_protected or user.is_colleague)
