"""The tables of quotes, collected for Django. Import each from the package that it belongs to."""

from quotes.custom_plans.models import CustomPlan
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Quote
from quotes.requests.models import QuoteRequest
