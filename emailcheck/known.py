"""What pages bring with them, so that nothing on them moves aside when it comes later.

Each is the answer of a call, under the key by which the front end remembers that call.
"""

from typing import Any

from accounts.models import User
from billing import presentation as plans
from billing.serializers import CreditsSerializer, SubscriptionStatusSerializer
from quotes import lists
from quotes import presentation as offers
from quotes.serializers import QuotesSerializer

Json = dict[str, Any]


def plan(user: User) -> Json:
    """As `GET /api/subscriptions/status`."""
    return {"subscription": SubscriptionStatusSerializer(plans.subscription(user)).data}


def checks(user: User) -> Json:
    """The plan, and the credits as `GET /api/credits`: what decides which checks are made."""
    return plan(user) | {"credits": CreditsSerializer(plans.credits(user)).data}


def quotes(user: User) -> Json:
    """The list of `GET /api/quotes/my-quotes`."""
    return QuotesSerializer({"quotes": map(offers.quote, lists.offered_to(user))}).data
