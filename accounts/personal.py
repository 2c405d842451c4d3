"""What the accounts' tables hold about people."""

from django.contrib.admin.models import LogEntry

from accounts.models import Activity, ApiKey, SignIn, User
from emailcheck.common.personal import Table


def detach_activity(user_id: int) -> None:
    """The account's own lines go; what staff did to it stays, without saying to whom."""
    lines = Activity.objects.filter(user_id=user_id)
    lines.filter(staff_id=None).delete()
    lines.update(user=None)


TABLES = (
    Table(User, "pk", name="account", secret=("password", "is_superuser")),
    Table(SignIn, "user", name="sessions", secret=("refresh_hash", "family_hash")),
    Table(ApiKey, "user", name="api_keys", secret=("key_hash",)),
    Table(Activity, "user", name="activity", secret=("staff_id", "target", "changes"), erase=detach_activity),
    Table(LogEntry, "user", left_out="What staff changed by hand in the database; only staff have such lines."),
    Table(User.groups.through, "user", left_out="Not used: there are no groups."),
    Table(User.user_permissions.through, "user", left_out="Not used: permissions follow from the role."),
)
