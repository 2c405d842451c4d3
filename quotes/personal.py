"""What the tables of quotes hold about people. A paid quote is a paper of the books: it stays without the person."""

from accounts.personal import ACTOR_COLUMNS
from emailcheck.common.personal import OrganisationTable
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Quote
from quotes.requests.models import QuoteRequest


def _erase_quotes(organisation_id: int) -> None:
    mine = Quote.objects.filter(organisation_id=organisation_id)
    mine.unpaid().delete()
    mine.update(organisation=None, customer_name="", customer_email="", customer_company="", notes="")


def _keep_rows(organisation_id: int) -> None:
    """Nothing names the person, except the quote, which is detached."""


TABLES = (
    OrganisationTable(PlanRequest, "quote__organisation", name="plan_requests", secret=ACTOR_COLUMNS, erase=_keep_rows),
    OrganisationTable(Quote, "organisation", name="quotes", secret=ACTOR_COLUMNS, erase=_erase_quotes),
    OrganisationTable(QuoteRequest, "organisation", name="quote_requests"),
)
