"""What pages bring with them, so that nothing on them moves aside when it comes later.

Each is the answer of a call, under the key by which the front end remembers that call.
"""

from accounts.organisations.models import Organisation
from billing.subscriptions import presentation as plans
from billing.subscriptions.serializers import SubscriptionStatusSerializer
from billing.usage.presentation import present_credits
from billing.usage.serializers import CreditsSerializer
from emailcheck.common.api.serializers import Json
from quotes.quotes.search import list_offered_quotes
from quotes.quotes.serializers import QuotesSerializer, present_quote


def load_subscription(organisation: Organisation) -> Json:
    """As `GET /api/subscriptions/status`."""
    return {"subscription": SubscriptionStatusSerializer(plans.present_subscription(organisation)).data}


def load_checks(organisation: Organisation) -> Json:
    """The plan, and the credits as `GET /api/credits`: what decides which checks are made."""
    return load_subscription(organisation) | {"credits": CreditsSerializer(present_credits(organisation)).data}


def load_quotes(organisation: Organisation) -> Json:
    """The list of `GET /api/quotes/my-quotes`."""
    return QuotesSerializer({"quotes": map(present_quote, list_offered_quotes(organisation))}).data
