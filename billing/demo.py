"""Makes the accounts of the sandbox's demo logins."""

from django.conf import settings
from django.db import transaction

from accounts.signin import services as signin
from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions import services as subscriptions
from emailcheck.common.demo import DemoLogin
from emailcheck.common.errors import Refused


@transaction.atomic
def create_demo_account(login: DemoLogin) -> bool:
    """Make a demo account. False when it exists: nothing changes then. Raises `Refused` in live mode."""
    if not settings.SANDBOX:
        raise Refused("Demo accounts are for the sandbox only.")
    if User.objects.filter(email=login.email).exists():
        return False
    user = signin.register_account(email=login.email, password=login.password, name=login.name, role=login.role)
    signin.verify_address(user=user)
    if login.plan != Plan.FREE:
        subscriptions.activate_plan(
            organisation_id=user.own_organisation.pk, plan=Plan(login.plan), cycle=Cycle.MONTHLY, paid_until=None
        )
    if login.pack_credits:
        ledger.grant_credits(
            organisation_id=user.own_organisation.pk,
            kind=LotKind.PACK,
            amount=login.pack_credits,
            reason="Demo credits of the sandbox",
            key=f"demo:{user.own_organisation.pk}",
        )
    return True
