"""What the safeguards of a debit cost: ours against a bare one-row debit-and-insert on the same database.

    make bench-money

Bare: one guarded UPDATE of a balance and one INSERT, in a transaction. Ours: `hold`, with the lock on the account, the
key, the lots by expiry and an entry for each; and `hold` with `settle`, what a single check does. In turns, one caller,
medians of `ROUNDS` rounds, of the ratios too: the machine may be slower in one round than in the next, for both. Both
are on the disk before they return. Then sixteen callers, each with an account, make a debit at the same moment: how
often the log of the database was synced for them. The database is the one that `DATABASE_URL` names.
"""

import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection, transaction

from accounts.users.models import User
from benchmarks import figures
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions import services as subscriptions
from emailcheck.common.sqlite.queue import find_log_sync
from emailcheck.common.testing import run_sixteen

ROUNDS = 15
CALLERS = 16
DEBITS = 800
LEAST = 0.25
_BARE_TABLES = (
    "CREATE TABLE bare_account (id bigint PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0))",
    "CREATE TABLE bare_entry (account bigint NOT NULL, amount bigint NOT NULL, key varchar(80) NOT NULL UNIQUE)",
)


def main() -> None:
    user = _account("bench")
    with connection.cursor() as cursor:
        for statement in _BARE_TABLES:
            cursor.execute(statement)
        cursor.execute("INSERT INTO bare_account VALUES (1, 100000000)")
    ways: dict[str, Callable[[str], None]] = {
        "bare": bare,
        "hold": lambda key: _hold(user.pk, key),
        "hold and settle": lambda key: _spend(user.pk, key),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(ROUNDS):
        for name, way in ways.items():
            rates[name].append(_rate(way, f"{name} {number}"))
    callers = [_account(f"caller{number}") for number in range(CALLERS)]
    _report(rates, [_syncs_of_sixteen(callers, number) for number in range(ROUNDS)])


def _account(name: str) -> User:
    user = User.objects.create_user(f"{name}@alder.com", name="Benchmark")
    subscriptions.open_account(organisation_id=user.pk)
    for number in range(3):
        key = f"{name}:{number}"
        ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=10_000_000, reason="Pack", key=key)
    return user


def bare(key: str) -> None:
    """A debit without safeguards."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE bare_account SET balance = balance - 1 WHERE id = 1 AND balance >= 1")
        cursor.execute("INSERT INTO bare_entry (account, amount, key) VALUES (1, -1, %s)", [key])


def _hold(user_id: int, key: str) -> None:
    ledger.open_hold(organisation_id=user_id, amount=1, reason="Benchmark", key=key)


def _spend(user_id: int, key: str) -> None:
    ledger.close_hold(hold=ledger.open_hold(organisation_id=user_id, amount=1, reason="Benchmark", key=key), captured=1)


def _rate(way: Callable[[str], None], name: str) -> float:
    started = time.perf_counter()
    for number in range(DEBITS):
        way(f"{name}:{number}")
    return DEBITS / (time.perf_counter() - started)


def _syncs_of_sixteen(callers: list[User], number: int) -> int:
    gate = threading.Barrier(CALLERS)

    def debit(place: int) -> None:
        connection.ensure_connection()
        gate.wait()
        _hold(callers[place].pk, f"at once {number}:{place}")

    with _counting_syncs() as syncs:
        run_sixteen(debit)
    return syncs[0]


@contextmanager
def _counting_syncs() -> Iterator[list[int]]:
    """How often the log was synced in the block, known at its end."""
    before, found = _syncs(), list[int]()
    yield found
    found.append(_syncs() - before)


def _syncs() -> int:
    if connection.vendor == "sqlite":
        return find_log_sync(str(connection.settings_dict["NAME"])).made
    time.sleep(1)  # what a connection did is counted when it has ended
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot(), wal_sync FROM pg_stat_wal")
        return int(cursor.fetchone()[1])


def _report(rates: dict[str, list[float]], syncs: list[int]) -> None:
    print(f"{settings.DATABASES['default']['ENGINE']}: {DEBITS} debits, medians of {ROUNDS} rounds")
    shares = {
        name: statistics.median(rate / bare for rate, bare in zip(measured, rates["bare"], strict=True))
        for name, measured in rates.items()
    }
    for name, measured in rates.items():
        print(f"{name:18}{statistics.median(measured):8,.0f} a second{shares[name]:8.2f} of bare")
    shared = round(statistics.median(syncs))
    print(f"{CALLERS} callers at once: {shared} syncs, at most {max(syncs)}, fewer than {CALLERS} wanted")
    engine = connection.vendor
    figures.at_least(f"rate of a debit, of a bare one, both synced, {engine}", shares["hold"], LEAST, digits=2)
    figures.at_most(f"syncs for {CALLERS} debits at once, median, {engine}", shared, CALLERS - 1)
    differences = ledger.reconcile_ledger()
    if differences or shares["hold"] < LEAST or shared >= CALLERS:
        sys.exit(f"below {LEAST} of bare, too many syncs, or credits differ: {differences}")
