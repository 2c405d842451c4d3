"""Hand-written SQL for what every check does with credits: hold, settle, read.

The ORM takes ten times as long for the same statements, most of it in this process: see `benchmarks/money.py`. Rules
for their use and order are in `billing.ledger.services` and, for those that only read, in
`billing.usage.quota`.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from enum import Enum, auto
from typing import Any, NamedTuple

from django.db import IntegrityError, connection
from django.utils import timezone

from billing.ledger.models import (
    CreditAccount,
    CreditEntry,
    CreditHold,
    CreditLot,
    CreditMonth,
    EntryKind,
    HoldState,
    LotKind,
    UsageAlerts,
)
from emailcheck.common.storage.statements import Rows, Statement, execute_together

_ACCOUNT, _LOT = CreditAccount._meta.db_table, CreditLot._meta.db_table
_HOLD, _ENTRY = CreditHold._meta.db_table, CreditEntry._meta.db_table
_ALERTS, _MONTH = UsageAlerts._meta.db_table, CreditMonth._meta.db_table
_OPEN, _CLOSED = HoldState.OPEN.value, HoldState.CLOSED.value
_TAKEN, _RELEASED = EntryKind.HOLD.value, EntryKind.RELEASE.value
_OF_PLAN = (LotKind.PLAN.value, LotKind.TRIAL.value, LotKind.WELCOME.value)
_WELCOME = LotKind.WELCOME.value
_BY_EXPIRY = "expires_at ASC NULLS LAST, id"
_SET_ASIDE = f"UPDATE {_ACCOUNT} SET balance = balance - %s, held = held + %s WHERE user_id = %s AND balance >= %s"
_INSERT_ENTRY = f"INSERT INTO {_ENTRY} (user_id, lot_id, hold_id, kind, amount, reason, reference, key, created_at)"
_INSERT_HOLD = f"INSERT INTO {_HOLD} (user_id, key, amount, captured, state, created_at, api_key_id, member_id)"
_CLOSE = f"UPDATE {_HOLD} SET state = %s, captured = %s, closed_at = %s WHERE id = %s AND state = %s"
_LOCK_ACCOUNT = f"SELECT 1 FROM {_ACCOUNT} WHERE user_id = %s FOR UPDATE"
_GIVE_BACK = f"UPDATE {_ACCOUNT} SET balance = balance + %s, held = held - %s WHERE user_id = %s"
_TAKEN_BY_LOT = f"SELECT lot_id, -SUM(amount) AS amount FROM {_ENTRY} WHERE hold_id = %s AND kind = %s GROUP BY lot_id"
# Of a hold: whether nothing but itself has to be given back; and whether it is closed and has not been given back.
_IS_PLAIN = (
    f"EXISTS (SELECT 1 FROM {_ACCOUNT} WHERE user_id = %s AND debt = 0) AND NOT EXISTS ("
    f"SELECT 1 FROM {_ENTRY} e JOIN {_LOT} l ON l.id = e.lot_id WHERE e.hold_id = %s AND e.kind = %s "
    "AND (l.frozen_at IS NOT NULL OR l.expires_at <= %s))"
)
_IS_UNPAID = (
    f"EXISTS (SELECT 1 FROM {_HOLD} WHERE id = %s AND state = %s AND captured = 0) "
    f"AND NOT EXISTS (SELECT 1 FROM {_ENTRY} WHERE hold_id = %s AND kind = %s)"
)
_LOTS_OF_PLAN = f"FROM {_LOT} WHERE user_id = %s AND kind IN (%s, %s, %s) AND expires_at > %s"
_SPEND = f"UPDATE {_ACCOUNT} SET held = held - %s WHERE user_id = %s"
_LEVEL = (
    "balance, held, "
    f"(SELECT low_balance FROM {_ALERTS} WHERE user_id = %s), "
    f"(SELECT low_sent_at IS NOT NULL FROM {_ALERTS} WHERE user_id = %s), "
    f"(SELECT COALESCE(SUM(granted), 0) {_LOTS_OF_PLAN}), (SELECT COALESCE(SUM(remaining), 0) {_LOTS_OF_PLAN})"
)


class LotOrder(Enum):
    """Which lots a hold is taken from.

    On Free, welcome credits buy full checks where they cover all of a job; else they are spent last, on basic ones.
    """

    BY_EXPIRY = auto()
    """What expires first."""
    WELCOME_IF_ENOUGH = auto()
    """The welcome credits alone where they suffice, else `WELCOME_LAST`."""
    WELCOME_LAST = auto()
    """What expires first, but welcome credits after all others."""


class SpendableLot(NamedTuple):
    """A lot with credits left."""

    pk: int
    remaining: int
    is_due: bool


def split_amount(lots: Iterable[SpendableLot], amount: int) -> Iterator[tuple[int, int]]:
    """What to take from which lot, in their order, to make up `amount`."""
    for lot in lots:
        if not amount:
            break
        part = min(amount, lot.remaining)
        amount -= part
        yield lot.pk, part


class Debit:
    """The statements on one cursor, in the caller's transaction."""

    def __init__(self, organisation_id: int, order: LotOrder = LotOrder.BY_EXPIRY) -> None:
        self._user_id = organisation_id
        self._order = order
        self._sorted = _BY_EXPIRY if order is LotOrder.BY_EXPIRY else f"kind = '{_WELCOME}', {_BY_EXPIRY}"
        self._at = timezone.now()
        self._now = _to_db_time(self._at)
        self._cursor = connection.cursor()

    def lock(self) -> None:
        """Lock the account for the rest of the transaction."""
        _lock_account(self._cursor, self._user_id)

    def hold_at_once(
        self, *, key: str, amount: int, reason: str, api_key_id: int | None, member_id: int | None
    ) -> CreditHold | None:
        """Open a hold in one statement that is committed by itself, so that no other check of the account ever waits
        for this process. None, and nothing changed, where it takes more than that.

        Outside a transaction, on PostgreSQL. What goes wrong in the middle, between the account and its first lot or
        with a key that is taken, breaks a constraint and undoes all of it.
        """
        of_kind = f"AND kind = '{_WELCOME}'" if self._order is LotOrder.WELCOME_IF_ENOUGH else ""
        mine = self._user_id
        holding = [mine, key, amount, _OPEN, self._now, api_key_id, member_id]
        taking = [_TAKEN, -amount, reason, key, f"{_TAKEN}:{key}:", self._now]
        try:
            self._cursor.execute(
                f"WITH account AS ({_SET_ASIDE} AND EXISTS ({self._build_first_lot(of_kind)}) RETURNING user_id), "
                f"lot AS ({self._build_taking(of_kind)} AND EXISTS (SELECT 1 FROM account) RETURNING id), "
                f"hold AS ({_INSERT_HOLD} SELECT %s, %s, %s, 0, %s, %s, %s, %s FROM account RETURNING id), "
                f"entry AS ({_INSERT_ENTRY} SELECT user_id, (SELECT id FROM lot), (SELECT id FROM hold), "
                "%s, %s, %s, %s, %s || (SELECT id FROM lot), %s FROM account) SELECT id FROM hold",
                [amount, amount, mine, amount, mine, amount, self._now, *self._list_taking(amount), *holding, *taking],
            )
            row = self._cursor.fetchone()
        except IntegrityError:
            return None
        return self._describe_hold(row[0], key, amount, api_key_id, member_id) if row else None

    def _build_first_lot(self, of_kind: str) -> str:
        """The first lot, where it has enough."""
        return (
            f"SELECT 1 FROM (SELECT remaining, expires_at FROM {_LOT} WHERE user_id = %s AND remaining > 0 {of_kind} "
            f"ORDER BY {self._sorted} LIMIT 1) first "
            "WHERE remaining >= %s AND (expires_at IS NULL OR expires_at > %s)"
        )

    def take(self, made: CreditHold, reason: str) -> "Taken":
        """Lock the account, set the credits of a hold aside, and take them out of the first lot, which hardly ever has
        less.
        """
        if not self.set_aside(made.amount):
            return Taken(is_enough=False, lot_id=None)
        of_kind = f"AND kind = '{_WELCOME}'"
        lot_id = self._take_from_one_lot(made.amount, of_kind) if self._order is LotOrder.WELCOME_IF_ENOUGH else None
        if lot_id is None:
            lot_id = self._take_from_one_lot(made.amount)
        if lot_id is not None:
            self.record_entries(made, [(lot_id, made.amount)], reason)
        return Taken(is_enough=True, lot_id=lot_id)

    def set_aside(self, amount: int) -> bool:
        """Lock the account and move `amount` from its balance to what is held; False when it has less, or is none."""
        self._cursor.execute(_SET_ASIDE, [amount, amount, self._user_id, amount])
        return int(self._cursor.rowcount) == 1

    def put_back(self, amount: int) -> None:
        """Undo `set_aside`."""
        self._cursor.execute(_GIVE_BACK, [amount, amount, self._user_id])

    def _take_from_one_lot(self, amount: int, of_kind: str = "") -> int | None:
        """Take all of it from the first lot; answers which one that is. None when it has less, or when it is past its
        date: nothing is taken then."""
        self._cursor.execute(f"{self._build_taking(of_kind)} RETURNING id", self._list_taking(amount))
        row = self._cursor.fetchone()
        return row[0] if row else None

    def _build_taking(self, of_kind: str) -> str:
        return (
            f"UPDATE {_LOT} SET remaining = remaining - %s WHERE id = (SELECT id FROM {_LOT} "
            f"WHERE user_id = %s AND remaining > 0 {of_kind} ORDER BY {self._sorted} LIMIT 1) "
            "AND remaining >= %s AND (expires_at IS NULL OR expires_at > %s)"
        )

    def _list_taking(self, amount: int) -> list[Any]:
        return [amount, self._user_id, amount, self._now]

    def list_lots(self) -> list[SpendableLot]:
        """The lots with credits left, in the order in which they are taken from; those past their date are due."""
        self._cursor.execute(
            f"SELECT id, remaining, COALESCE(expires_at <= %s, %s) FROM {_LOT} WHERE user_id = %s AND remaining > 0 "
            f"ORDER BY {self._sorted}",
            [self._now, False, self._user_id],
        )
        return [SpendableLot(pk, remaining, bool(is_due)) for pk, remaining, is_due in self._cursor.fetchall()]

    def insert_hold(
        self, *, key: str, amount: int, api_key_id: int | None, member_id: int | None = None
    ) -> CreditHold | None:
        """A new open hold; None when the key is taken."""
        self._cursor.execute(
            f"{_INSERT_HOLD} VALUES (%s, %s, %s, 0, %s, %s, %s, %s) ON CONFLICT (key) DO NOTHING RETURNING id",
            [self._user_id, key, amount, _OPEN, self._now, api_key_id, member_id],
        )
        row = self._cursor.fetchone()
        return self._describe_hold(row[0], key, amount, api_key_id, member_id) if row else None

    def _describe_hold(
        self, pk: int, key: str, amount: int, api_key_id: int | None, member_id: int | None
    ) -> CreditHold:
        return CreditHold(
            pk,
            organisation_id=self._user_id,
            key=key,
            amount=amount,
            created_at=self._at,
            api_key_id=api_key_id,
            member_id=member_id,
        )

    def take_from_lots(self, parts: Iterable[tuple[int, int]]) -> None:
        """Take (lot, amount) parts out of their lots."""
        for lot_id, amount in parts:
            self._cursor.execute(f"UPDATE {_LOT} SET remaining = remaining - %s WHERE id = %s", [amount, lot_id])

    def record_entries(self, made: CreditHold, parts: Iterable[tuple[int, int]], reason: str) -> None:
        """Write down which (lot, amount) parts make up a hold."""
        for lot_id, amount in parts:
            self._cursor.execute(
                f"{_INSERT_ENTRY} VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [self._user_id, lot_id, made.pk, _TAKEN, -amount, reason, made.key,
                 f"{_TAKEN}:{made.key}:{lot_id}", self._now],
            )  # fmt: skip


class HoldClosing:
    """The statements that close a hold, in the caller's transaction. What they need of it never changes."""

    def __init__(self, hold: CreditHold) -> None:
        self._hold = hold
        self._cursor = connection.cursor()

    def build_spending(self) -> list[Statement]:
        """What closes the hold and spends all of it; the first of them gives the level of the account afterwards
        (`parse_level`), and no row when the hold was closed before.
        """
        mine, now = self._hold.organisation_id, _to_db_time(timezone.now())
        closing = [_CLOSED, self._hold.amount, now, self._hold.pk, _OPEN]
        spending = [self._hold.amount, mine]
        level = [mine, mine, mine, *_OF_PLAN, now, mine, *_OF_PLAN, now]
        if connection.vendor == "postgresql":
            closed = f"WITH closed AS ({_CLOSE} RETURNING id)"
            spent = f"{closed} {_SPEND} AND EXISTS (SELECT 1 FROM closed) RETURNING {_LEVEL}"
            return [Statement(spent, [*closing, *spending, *level])]
        is_open = f"EXISTS (SELECT 1 FROM {_HOLD} WHERE id = %s AND state = %s)"
        spent = f"{_SPEND} AND {is_open} RETURNING {_LEVEL}"
        return [Statement(spent, [*spending, self._hold.pk, _OPEN, *level]), Statement(_CLOSE, closing)]

    def release_all(self) -> bool:
        """Close the hold and give all of it back to its lots, together (`execute_together`).

        False, and nothing changed, when it was closed before, and where more has to be done: for an account that owes
        credits, or with a lot that is paused or past its date.
        """
        hold, account, now = self._hold.pk, self._hold.organisation_id, _to_db_time(timezone.now())
        amount, of_lot = self._hold.amount, f"{_RELEASED}:{self._hold.key}:"
        closing = [_CLOSED, 0, now, hold, _OPEN, account, hold, _TAKEN, now]
        unpaid = [hold, _CLOSED, hold, _RELEASED]
        entry = [_RELEASED, "Not used, returned", self._hold.key, of_lot, now]
        locks = [Statement(f"SELECT 1 FROM {_HOLD} WHERE id = %s FOR UPDATE", [hold]),
                 Statement(_LOCK_ACCOUNT, [account])]  # fmt: skip
        found = execute_together(
            [
                *(locks if connection.features.has_select_for_update else ()),
                Statement(f"{_CLOSE} AND {_IS_PLAIN} RETURNING id", closing),
                Statement(f"{_GIVE_BACK} AND {_IS_UNPAID}", [amount, amount, account, *unpaid]),
                Statement(
                    f"UPDATE {_LOT} SET remaining = remaining + taken.amount FROM ({_TAKEN_BY_LOT}) taken "
                    f"WHERE {_LOT}.id = taken.lot_id AND {_IS_UNPAID}",
                    [hold, _TAKEN, *unpaid],
                ),
                Statement(
                    f"{_INSERT_ENTRY} SELECT %s, taken.lot_id, %s, %s, taken.amount, %s, %s, %s || taken.lot_id, %s "
                    f"FROM ({_TAKEN_BY_LOT}) taken WHERE {_IS_UNPAID}",
                    [account, hold, *entry, hold, _TAKEN, *unpaid],
                ),
            ]
        )
        return bool(found[-4])

    def close(self, *, captured: int) -> bool:
        """Close the hold, and then lock the account; False when it was closed before."""
        self._cursor.execute(_CLOSE, [_CLOSED, captured, _to_db_time(timezone.now()), self._hold.pk, _OPEN])
        if int(self._cursor.rowcount) != 1:
            return False
        _lock_account(self._cursor, self._hold.organisation_id)
        return True

    def release(self, released: int) -> None:
        """End the hold; the `released` credits can be spent again."""
        self._cursor.execute(_GIVE_BACK, [released, self._hold.amount, self._hold.organisation_id])


def _lock_account(cursor: Any, organisation_id: int) -> None:
    """Where a transaction locks rows; SQLite's has the whole file."""
    if connection.features.has_select_for_update:
        cursor.execute(_LOCK_ACCOUNT, [organisation_id])


class Taken(NamedTuple):
    """Whether the account had enough, and the lot that all of it came from; None where it takes several."""

    is_enough: bool
    lot_id: int | None


class CreditLevel(NamedTuple):
    """How full an account is; `granted` and `remaining` are those of the plan, the welcome and the trial, now.

    `low_balance` is the balance below which its owner gets a mail, `low_told` whether it was sent.
    """

    balance: int
    held: int
    low_balance: int | None
    low_told: bool | None
    granted: int
    remaining: int


def parse_level(rows: Rows) -> CreditLevel | None:
    """The level in the rows of a statement; None without a row."""
    return CreditLevel(*map(_to_int, rows[0])) if rows else None


def load_credit_level(organisation_id: int) -> CreditLevel | None:
    """How full an account is, in one statement; None without one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.balance, a.held, w.low_balance, w.low_sent_at IS NOT NULL, "
            "COALESCE(SUM(l.granted), 0), COALESCE(SUM(l.remaining), 0) "
            f"FROM {_ACCOUNT} a LEFT JOIN {_ALERTS} w ON w.user_id = a.user_id "
            f"LEFT JOIN {_LOT} l ON l.user_id = a.user_id AND l.kind IN (%s, %s, %s) AND l.expires_at > %s "
            "WHERE a.user_id = %s GROUP BY a.user_id, a.balance, a.held, w.low_balance, w.low_sent_at",
            [*_OF_PLAN, _to_db_time(timezone.now()), organisation_id],
        )
        return parse_level(cursor.fetchall())


def count_held_plan_credits(organisation_id: int) -> int:
    """How many credits of the plan, the welcome and the trial, those of now, are set aside for work that goes on.

    An open hold has no `closed_at`, by which the index finds it.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COALESCE(-SUM(e.amount), 0) FROM {_HOLD} h JOIN {_ENTRY} e ON e.hold_id = h.id "
            f"JOIN {_LOT} l ON l.id = e.lot_id WHERE h.user_id = %s AND h.closed_at IS NULL AND h.state = %s "
            "AND l.kind IN (%s, %s, %s) AND l.expires_at > %s",
            [organisation_id, _OPEN, *_OF_PLAN, _to_db_time(timezone.now())],
        )
        return int(cursor.fetchone()[0])


class SentNotices(NamedTuple):
    """Which notices a credit month has had."""

    warning: bool
    exceeded: bool


def load_sent_notices(organisation_id: int, *, starts_at: datetime) -> SentNotices:
    """Which notices the credit month that begins then has had."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT warned_at IS NOT NULL, exceeded_at IS NOT NULL FROM {_MONTH} "
            "WHERE user_id = %s AND starts_at = %s",
            [organisation_id, _to_db_time(starts_at)],
        )
        row = cursor.fetchone()
    return SentNotices(*map(bool, row)) if row else SentNotices(warning=False, exceeded=False)


def count_spendable_credits(organisation_id: int) -> int:
    """What an account can spend now."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COALESCE(SUM(remaining), 0) FROM {_LOT} "
            "WHERE user_id = %s AND remaining > 0 AND (expires_at IS NULL OR expires_at > %s)",
            [organisation_id, _to_db_time(timezone.now())],
        )
        return int(cursor.fetchone()[0])


def _to_db_time(moment: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def _to_int(value: Any) -> Any:
    """PostgreSQL sums to decimals."""
    return value if value is None else int(value)
