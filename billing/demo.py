"""Makes the accounts of the sandbox's demo logins."""

from django.conf import settings
from django.db import transaction

from accounts import services as accounts
from accounts.models import User
from billing import services as billing
from billing import subscriptions
from billing.models import Cycle, LotKind, Plan
from emailcheck.common.demo import DemoLogin
from emailcheck.common.errors import Refused


@transaction.atomic
def make(login: DemoLogin) -> bool:
    """Make a demo account. False when it exists: nothing changes then. Raises `Refused` in live mode."""
    if not settings.SANDBOX:
        raise Refused("Demo accounts are for the sandbox only.")
    if User.objects.filter(email=login.email).exists():
        return False
    user = accounts.register(email=login.email, password=login.password, name=login.name, role=login.role)
    accounts.verify_address(user=user)
    if login.plan != Plan.FREE:
        subscriptions.activate(user_id=user.pk, plan=Plan(login.plan), cycle=Cycle.MONTHLY, paid_until=None)
    if login.pack_credits:
        billing.grant(
            user_id=user.pk,
            kind=LotKind.PACK,
            amount=login.pack_credits,
            reason="Demo credits of the sandbox",
            key=f"demo:{user.pk}",
        )
    return True
