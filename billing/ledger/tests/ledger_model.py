"""What the ledger should say, in plain lists: the simple model beside which the real one is run."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS
from billing.ledger.credit_months import Month, month_at, prorate_amount
from billing.ledger.debits import LotOrder

FAR = datetime.max.replace(tzinfo=UTC)


@dataclass(eq=False)
class Lot:
    kind: str
    left: int
    expires: datetime | None


@dataclass(eq=False)
class Hold:
    amount: int
    taken: list[tuple[Lot, int]]


@dataclass
class Model:
    signed_up: datetime
    now: datetime
    lots: list[Lot] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    debt: int = 0
    plan: Plan = Plan.FREE
    began: datetime = FAR
    months: dict[datetime, int] = field(default_factory=dict)
    free_until: datetime | None = None
    welcomed: bool = False
    trial_ends: datetime | None = None
    on_trial: bool = False

    @property
    def balance(self) -> int:
        return sum(lot.left for lot in self.lots)

    @property
    def held(self) -> int:
        return sum(hold.amount for hold in self.holds)

    def spendable(self) -> list[Lot]:
        for lot in self.lots:
            if lot.expires is not None and lot.expires <= self.now:
                lot.left = 0
        return sorted((lot for lot in self.lots if lot.left), key=lambda lot: (lot.expires is None, lot.expires or FAR))

    def take(self, amount: int, lots: list[Lot]) -> list[tuple[Lot, int]]:
        taken = []
        for lot in lots:
            part = min(amount, lot.left)
            amount -= part
            lot.left -= part
            if part:
                taken.append((lot, part))
        return taken

    def pay_debt(self) -> None:
        self.debt -= sum(part for _, part in self.take(self.debt, self.spendable())) if self.debt else 0

    def grant(self, kind: str, amount: int, expires: datetime | None) -> None:
        self.lots.append(Lot(kind, amount, expires))
        self.pay_debt()

    def hold(self, amount: int, order: LotOrder) -> bool:
        lots = self.spendable()
        if sum(lot.left for lot in lots) < amount:
            return False
        if order is not LotOrder.BY_EXPIRY:
            lots.sort(key=lambda lot: lot.kind == "welcome")
        if order is LotOrder.WELCOME_IF_ENOUGH:
            lots = [lot for lot in lots if lot.kind == "welcome" and lot.left >= amount] or lots
        self.holds.append(Hold(amount, self.take(amount, lots)))
        return True

    def settle(self, number: int, captured: int) -> None:
        hold = self.holds.pop(number)
        released = hold.amount - captured
        for lot, part in reversed(hold.taken):
            back = min(released, part)
            lot.left += back
            released -= back
        if hold.amount > captured:
            self.spendable()
            self.pay_debt()

    def claw_back(self, amount: int, first: Lot | None) -> None:
        lots = sorted(self.spendable(), key=lambda lot: lot is not first)
        self.debt += amount - sum(part for _, part in self.take(amount, lots))

    @property
    def month(self) -> Month:
        return month_at(self.signed_up if self.plan == Plan.FREE else self.began, self.now)

    def renew(self) -> None:
        month, kind = self.month, "plan"
        if self.months.get(month.starts_at):
            return
        if self.plan == Plan.FREE:
            if self.free_until is not None and self.free_until > month.starts_at:
                return
            self.free_until = month.ends_at
            kind, self.welcomed = ("plan" if self.welcomed else "welcome"), True
        limit = OFFERS[self.plan].limit or 0
        self.months[month.starts_at] = limit
        self.grant(kind, limit, month.ends_at)

    def lapse(self, kind: str) -> None:
        for lot in self.lots:
            if lot.kind == kind and lot.expires is not None and lot.expires > self.now:
                lot.expires = self.now
        self.spendable()

    def start_trial(self) -> bool:
        if self.plan != Plan.FREE or self.trial_ends is not None:
            return False
        self.trial_ends, self.on_trial = self.now + timedelta(days=14), True
        self.grant("trial", 100, self.trial_ends)
        return True

    def activate(self, plan: Plan) -> bool:
        if self.plan != Plan.FREE:
            return False
        if self.on_trial:
            self.on_trial = False
            self.lapse("trial")
        self.plan, self.began = plan, self.now
        self.renew()
        return True

    def change(self, plan: Plan) -> int:
        limit, had = OFFERS[plan].limit or 0, self.months.get(self.month.starts_at, 0)
        extra = prorate_amount(limit - had, self.month, self.now) if 0 < had < limit else 0
        if extra:
            self.grant("plan", extra, self.month.ends_at)
        if 0 < had < limit:
            self.months[self.month.starts_at] = limit
        self.plan = plan
        return extra

    def end_plan(self) -> None:
        self.lapse("plan")
        self.plan = Plan.FREE
        self.renew()

    def keep_time(self) -> None:
        if self.trial_ends is not None and self.trial_ends <= self.now:
            self.on_trial = False
        self.spendable()
        self.renew()
