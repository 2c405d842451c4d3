"""The figures of the dashboard and of the analytics, out of the daily counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from django.conf import settings
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, Feature
from billing.ledger.balances import count_all_credits
from billing.reports import revenue
from billing.subscriptions import entitlements
from emailcheck.common import registry
from emailcheck.common.errors import BadInput, Refused
from emailcheck.common.registry import Health, Satisfaction
from emailcheck.common.text import check_costs
from emailcheck.common.text.dates import format_day
from emailcheck.common.text.money import round_to_cents
from validation.access.readers import Reader
from validation.daily import rollups
from validation.history import queries
from validation.history.queries import totals_of_account
from validation.results.models import Category, Result

RANGES = {"7d": 7, "30d": 30, "90d": 90, "1y": 365}
BASIC_RANGE = "30d"
NEEDS_GROWTH = "Advanced analytics are available from the Growth plan."
RECENT = 5
Counts = dict[str, int]


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of the dashboard's sidebar."""

    counts: Counts
    monthly_usage: int
    monthly_limit: int
    credits: int
    plan: str
    recent: list[Result]

    @property
    def usage_percentage(self) -> float:
        """Percent of the plan's allowance; packs do not count here (DASH-024)."""
        return entitlements.compute_usage_percentage(self.monthly_usage, self.monthly_limit)

    @property
    def by_category(self) -> Counts:
        return count_categories(self.counts)


def count_categories(counts: Mapping[str, int]) -> Counts:
    """Each of the six categories; `counts` are those of a tally."""
    return {category: counts[f"{category}_count"] for category in Category.values}


def load_overview(reader: Reader) -> Overview:
    """The figures of an account, with its totals of all time, and the newest results that the reader sees."""
    organisation = reader.organisation
    account = entitlements.build_account_summary(organisation)
    plan = account["subscription_plan"]
    return Overview(
        counts=totals_of_account(organisation),
        monthly_usage=account["monthly_usage"],
        monthly_limit=account["monthly_limit"],
        credits=account["credits"],
        plan=plan,
        recent=queries.list_recent_results(reader, limit=RECENT),
    )


@dataclass(frozen=True, slots=True)
class Period:
    """The counts of some days, day by day without a gap, and in all; as many days before them for comparison."""

    days: list[tuple[date, Counts]]
    previous: list[tuple[date, Counts]]
    counts: Counts
    first_day: date | None
    """The first day that was ever counted."""

    @property
    def mean_ms(self) -> float:
        """Mean time of a single check in ms, with the remote hosts' time; 0 without any."""
        return round(self.counts["time_ms"] / self.counts["timed"], 1) if self.counts["timed"] else 0.0


def load_usage(organisation: Organisation, *, name: str, is_staff: bool) -> Period:
    """The days of a range for any plan. Raises `BadInput`, and `Refused` for ranges of a higher plan."""
    days = _parse_range(name)
    if name != BASIC_RANGE:
        require_advanced(organisation, is_staff=is_staff)
    return _load_period(days, organisation=organisation)


@dataclass(frozen=True, slots=True)
class AllAccountsFigures:
    """Figures for staff: USD paid by all accounts in the period, satisfaction, and the API's performance."""

    paid: Decimal
    satisfaction: Satisfaction
    health: Health


@dataclass(frozen=True, slots=True)
class Advanced:
    """A period with the credits left; of an account with its plan, or of all."""

    period: Period
    credits: int
    plan: str | None = None
    of_all: AllAccountsFigures | None = None


def load_advanced(organisation: Organisation, *, name: str, scope: str, is_staff: bool) -> Advanced:
    """The days of a range: of all accounts for staff on request, else of the account.

    Raises `BadInput`, and `Refused` below Growth.
    """
    days = _parse_range(name)
    if is_staff and scope == "all":
        return _load_advanced_of_all(days)
    require_advanced(organisation, is_staff=is_staff)
    account = entitlements.build_account_summary(organisation)
    return Advanced(
        _load_period(days, organisation=organisation), credits=account["credits"], plan=account["subscription_plan"]
    )


def _load_advanced_of_all(days: int) -> Advanced:
    period = _load_period(days)
    begin = datetime.combine(period.days[0][0], time.min, UTC)
    of_all = AllAccountsFigures(
        revenue.compute_net_revenue(begin), registry.above.measure_satisfaction(begin), registry.above.measure_health()
    )
    return Advanced(period, credits=count_all_credits(), of_all=of_all)


def require_advanced(organisation: Organisation, *, is_staff: bool) -> None:
    """Raises `Refused` (`PLAN_REQUIRED`) when the plan has no advanced analytics; staff need none (DASH-020)."""
    if not is_staff and not entitlements.has_feature(organisation, Feature.ADVANCED_ANALYTICS):
        raise Refused(NEEDS_GROWTH, code="PLAN_REQUIRED")


@dataclass(frozen=True, slots=True)
class Costs:
    """USD: what the credits of a period cost, and what they saved; `None` where no price is known."""

    per_validation: Decimal | None
    total: Decimal | None
    savings: Decimal

    @property
    def roi_percentage(self) -> float | None:
        return round(float(100 * self.savings / self.total), 1) if self.total and self.total > 0 else None


def compute_costs(found: Advanced) -> Costs:
    """Costs by the price of a credit, of the plan or averaged over all, against the price of bounces (ADM-128)."""
    counts = found.period.counts
    used, savings = counts["credits_used"], round_to_cents(_count_rejected(counts) * settings.COST_PER_BOUNCE)
    if found.of_all:
        paid = found.of_all.paid
        return Costs(per_validation=paid / used if used else None, total=paid, savings=savings)
    price = OFFERS[Plan(found.plan)].price_per_credit if found.plan else None
    return Costs(per_validation=price, total=None if price is None else round_to_cents(used * price), savings=savings)


def _count_rejected(counts: Mapping[str, int]) -> int:
    return counts["invalid_count"] + counts["disposable_count"] + counts["spam_trap_count"]


def build_insights(found: Advanced) -> list[str]:
    """Sentences about the counts."""
    period, counts = found.period, found.period.counts
    total = counts["processed"]
    if not total:
        return []
    rejected = _count_rejected(counts)
    on, most = max(period.days, key=lambda day: day[1]["processed"])
    sentences = [
        f"{_format_share(counts['safe_to_send_count'], total)} of the addresses are safe to send to.",
        f"{_format_share(rejected, total)} would have bounced or done harm: {rejected:,} in all.",
        f"The busiest day was {format_day(on)} with {most['processed']:,}.",
    ]
    if counts["unknown_count"]:
        costs = check_costs.UNKNOWN_COSTS if found.of_all else check_costs.FULL
        sentences.append(f"{counts['unknown_count']:,} could not be decided. {costs}")
    return sentences


def _format_share(part: int, total: int) -> str:
    return f"{100 * part / total:.1f}%"


def _parse_range(name: str) -> int:
    if name not in RANGES:
        raise BadInput("Invalid range", code="INVALID_RANGE", field="range", value=name)
    return RANGES[name]


def _load_period(days: int, *, organisation: Organisation | None = None) -> Period:
    """The last `days` days, today (UTC) included, of an account or of all."""
    last = rollups.day_of(timezone.now())
    first = last - timedelta(days=2 * days - 1)
    known = rollups.list_days(first, last, organisation=organisation)
    nothing = dict.fromkeys(rollups.FIELDS, 0)
    both = [(on, known.get(on, nothing)) for on in (first + timedelta(days=n) for n in range(2 * days))]
    previous, lines = both[:days], both[days:]
    return Period(
        days=lines,
        previous=previous,
        counts={name: sum(counts[name] for _, counts in lines) for name in rollups.FIELDS},
        first_day=rollups.find_first_day(organisation),
    )
