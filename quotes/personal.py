"""What the tables of quotes hold about people. A paid quote is a paper of the books: it stays without the person."""

from accounts.personal import ACTOR_COLUMNS
from emailcheck.common.personal import Table
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Quote
from quotes.requests.models import QuoteRequest


def _erase_quotes(user_id: int) -> None:
    mine = Quote.objects.filter(user_id=user_id)
    mine.unpaid().delete()
    mine.update(user=None, customer_name="", customer_email="", customer_company="", notes="")


def _keep_rows(user_id: int) -> None:
    """Nothing names the person, except the quote, which is detached."""


TABLES = (
    Table(PlanRequest, "quote__user", name="plan_requests", secret=ACTOR_COLUMNS, erase=_keep_rows),
    Table(Quote, "user", name="quotes", secret=ACTOR_COLUMNS, erase=_erase_quotes),
    Table(QuoteRequest, "user", name="quote_requests"),
)
