"""The board of deals: the columns with their sums."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q, Sum
from django.utils import timezone

from crm.deals.models import CLOSES_SOON, OPEN_STAGES, Deal, Stage
from crm.text_search import match_words

COLUMN_ROWS = 100
OVERDUE, SOON = "overdue", "soon"


@dataclass(frozen=True, slots=True)
class Column:
    """A stage with the number of its deals and what they are worth together, in USD."""

    stage: Stage
    count: int
    value: Decimal


@dataclass(frozen=True, slots=True)
class Board:
    """The first deals of each stage, in their order, and the sums of all that were found."""

    deals: list[Deal]
    stages: list[Column]


def load_board(*, search: str = "", closing: str = "") -> Board:
    """The deals that contain each word, and close in the given time."""
    found = Deal.objects.filter(
        match_words(search, "company_name", "contact_name", "contact_email"), _filter_closing(closing)
    )
    summed = found.values("stage").annotate(count=Count("pk"), worth=Sum("value"))
    sums = {row["stage"]: Column(Stage(row["stage"]), row["count"], row["worth"]) for row in summed}
    columns = [sums.get(stage, Column(stage, 0, Decimal(0))) for stage in Stage]
    deals = [
        deal
        for column in columns
        if column.count
        for deal in found.filter(stage=column.stage).order_by("position", "pk")[:COLUMN_ROWS]
    ]
    return Board(deals, columns)


def _filter_closing(choice: str) -> Q:
    """Of the open deals those whose day has passed, or comes soon."""
    today = timezone.now().date()
    if choice == OVERDUE:
        return Q(stage__in=OPEN_STAGES, expected_close_date__lt=today)
    if choice == SOON:
        return Q(stage__in=OPEN_STAGES, expected_close_date__range=(today, today + CLOSES_SOON))
    return Q()
