"""What sales and messages do in the transaction of a change elsewhere: an account is verified, a deal is won."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import user_verified
from accounts.users.models import User
from crm.contracts import services as contracts
from crm.deals.models import Deal
from crm.messages import contact
from crm.signals import deal_won


@receiver(user_verified)
def claim_messages(user: User, **kwargs: Any) -> None:
    contact.claim_messages(user=user)


@receiver(deal_won)
def write_contract(deal: Deal, staff: User, **kwargs: Any) -> None:
    contracts.create_deal_contract(deal=deal, staff=staff)
