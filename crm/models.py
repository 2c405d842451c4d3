"""The tables of sales and messages, collected for Django. Import each from the package that it belongs to."""

from crm.claims.models import Claim
from crm.contracts.models import Contract
from crm.deals.models import Deal, DealEvent
from crm.messages.models import Feedback, Message, Subscriber
