"""The statements of a debit, written out.

The same ones made by the ORM take ten times as long, most of it in this process: see `benchmarks/money.py`. What they
may be used for, and in which order, is said in `billing.services`, the only caller.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.db import connection
from django.utils import timezone

from billing.models import CreditAccount, CreditEntry, CreditHold, CreditLot, EntryKind, HoldState

_ACCOUNT, _LOT = CreditAccount._meta.db_table, CreditLot._meta.db_table
_HOLD, _ENTRY = CreditHold._meta.db_table, CreditEntry._meta.db_table
_OPEN, _TAKEN = HoldState.OPEN.value, EntryKind.HOLD.value


class Spendable(NamedTuple):
    """A lot with credits left."""

    pk: int
    remaining: int
    is_due: bool


class Debit:
    """The statements on one cursor, in the caller's transaction."""

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id
        self._at = timezone.now()
        self._now = connection.ops.adapt_datetimefield_value(self._at)
        self._cursor = connection.cursor()

    def locked_balance(self) -> int | None:
        """The balance of the account, whose row is locked; None without one."""
        lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
        self._cursor.execute(f"SELECT balance FROM {_ACCOUNT} WHERE user_id = %s{lock}", [self._user_id])
        row = self._cursor.fetchone()
        return row[0] if row else None

    def lots(self) -> list[Spendable]:
        """The lots with credits left, first to expire first; those past their date are due."""
        self._cursor.execute(
            f"SELECT id, remaining, COALESCE(expires_at <= %s, %s) FROM {_LOT} WHERE user_id = %s AND remaining > 0 "
            "ORDER BY expires_at ASC NULLS LAST, id",
            [self._now, False, self._user_id],
        )
        return [Spendable(pk, remaining, bool(is_due)) for pk, remaining, is_due in self._cursor.fetchall()]

    def insert_hold(self, *, key: str, amount: int, api_key_id: int | None) -> CreditHold | None:
        """A new open hold; None when the key is taken."""
        self._cursor.execute(
            f"INSERT INTO {_HOLD} (user_id, key, amount, captured, state, created_at, api_key_id) "
            "VALUES (%s, %s, %s, 0, %s, %s, %s) ON CONFLICT (key) DO NOTHING RETURNING id",
            [self._user_id, key, amount, _OPEN, self._now, api_key_id],
        )
        row = self._cursor.fetchone()
        if row is None:
            return None
        return CreditHold(
            row[0], user_id=self._user_id, key=key, amount=amount, created_at=self._at, api_key_id=api_key_id
        )

    def take(self, made: CreditHold, parts: Iterable[tuple[int, int]], reason: str) -> None:
        """Take (lot, amount) parts out of the balance, for a hold."""
        for lot_id, amount in parts:
            self._cursor.execute(f"UPDATE {_LOT} SET remaining = remaining - %s WHERE id = %s", [amount, lot_id])
            self._cursor.execute(
                f"INSERT INTO {_ENTRY} (user_id, lot_id, hold_id, kind, amount, reason, reference, key, created_at) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
                [self._user_id, lot_id, made.pk, _TAKEN, -amount, reason, made.key,
                 f"{_TAKEN}:{made.key}:{lot_id}", self._now],
            )  # fmt: skip
        self._cursor.execute(
            f"UPDATE {_ACCOUNT} SET balance = balance - %s, held = held + %s WHERE user_id = %s",
            [made.amount, made.amount, self._user_id],
        )
