"""Ten million stored results, by SQL: a heavy customer with long lists, and many others with short ones.

Runs inside the product on PostgreSQL, behind `benchmarks.admin.fill`, whose accounts own the lists. The indexes of the
results are taken away for the time of writing and made again, because one made of ten million rows takes minutes and
one kept up row by row an hour; they are as compact then as after `REINDEX`.
"""

import time
from datetime import timedelta

from django.db import connection
from django.utils import timezone

from accounts.users.models import User
from benchmarks.lists.seeding import ASKED
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.daily import rollups
from validation.daily.models import TALLY_FIELDS, Source
from validation.results.models import Evidence
from validation.results.storage import EvidencePage

HEAVY_LISTS = (1_000_000, *[250_000] * 4, *[5_000] * 200)
"""The lists of the heavy customer, all ended; one more of `RUNNING` rows is under work."""
RUNNING = 1_000_000
HEAVY_SINGLES = 500_000
OTHER_LIST = 2_000
AT_ONCE = 5_000
DAYS = 365

_TABLE = "validation_result"
_EVIDENCE = "[1, 1]"  # the page and row that all results of lists share
_ALONE = '{"flags": [], "did_you_mean": null, "mx": [], "checks": [], "transcript": []}'
_RESULTS = f"""
INSERT INTO {_TABLE} (user_id, batch_id, position, email, address, domain, category, reason, sentence, confidence,
    safe_to_send, syntax_valid, is_free, charged, basic, created_at, details)
SELECT user_id, batch_id, position, email, email, domain, category,
    CASE category WHEN 'valid' THEN 'mailbox_exists' WHEN 'unknown' THEN 'no_answer' ELSE 'mailbox_missing' END,
    'What the mail host said of this address is told here.', confidence,
    category = 'valid' OR (category IN ('catch_all', 'unknown') AND confidence > 0.6), true,
    domain = 'gmail.com', category <> 'unknown', false, created_at, '[1, 1]'
FROM (
    SELECT *, name || '.' || position || '@' || domain AS email
    FROM (
        SELECT {{source}},
            (ARRAY['anna','ben','carla','david','emma','felix','greta','hugo','ida','jonas','klara','liam'])
                [1 + floor(random() * 12)::int] AS name,
            CASE WHEN at < 0.24 THEN 'gmail.com' WHEN at < 0.34 THEN 'outlook.com' WHEN at < 0.4 THEN 'yahoo.com'
                ELSE 'company-' || floor(at * 1e6)::int %% 4000 || '.com' END AS domain,
            CASE WHEN kind < 0.6 THEN 'valid' WHEN kind < 0.78 THEN 'invalid' WHEN kind < 0.87 THEN 'catch_all'
                WHEN kind < 0.94 THEN 'unknown' WHEN kind < 0.9999 THEN 'disposable' ELSE 'spam_trap' END AS category,
            CASE WHEN kind < 0.6 THEN 0.9 WHEN kind < 0.78 THEN 0 WHEN kind < 0.87 THEN 0.4 WHEN kind < 0.94 THEN 0.1
                ELSE 0 END + floor(random() * 4) * 0.03 * (kind < 0.6)::int
                + floor(random() * 8) * 0.04 * (kind BETWEEN 0.78 AND 0.94)::int AS confidence
        FROM (SELECT *, random() AS at, random() AS kind FROM {{rows}} OFFSET 0) drawn
    ) parts
) made
"""
_OF_LISTS = _RESULTS.format(
    source="user_id, id AS batch_id, position, created_at, at, kind",
    rows="(SELECT b.id, b.user_id, b.created_at, generate_series(1, b.{rows}) AS position "
    "FROM validation_batch b WHERE b.id = ANY(%s)) lists",
)
_SINGLES = _RESULTS.format(
    source="user_id, NULL::bigint AS batch_id, position, created_at, at, kind",
    rows="(SELECT %s::bigint AS user_id, n AS position, now() - (%s - n) * (interval '365 days' / %s) AS created_at "
    "FROM generate_series(1, %s) n) singles",
)
_COUNTS = ", ".join(
    {
        "processed": "count(*)",
        "credits_used": "count(*) FILTER (WHERE charged)",
        "safe_to_send_count": "count(*) FILTER (WHERE safe_to_send)",
        "risky_count": "count(*) FILTER (WHERE NOT safe_to_send AND category IN ('valid', 'catch_all', 'unknown'))",
    }.get(name, f"count(*) FILTER (WHERE category = '{name.removesuffix('_count')}')")
    + f" AS {name}"
    for name in TALLY_FIELDS
)
_CHUNKS = f"""
INSERT INTO validation_chunk (batch_id, number, rows, size, state, attempts, asks_providers, reuses, waits_for,
    wait_cause, done_at, {", ".join(TALLY_FIELDS)})
SELECT batch_id, (position - 1) / {AT_ONCE} + 1, '[]', count(*), 'done', 1, false, false, '', '', max(created_at),
    {_COUNTS}
FROM {_TABLE} WHERE batch_id = ANY(%s) GROUP BY batch_id, (position - 1) / {AT_ONCE} + 1
"""
_TALLY = f"""
UPDATE validation_batch b SET {", ".join(f"{name} = counted.{name}" for name in TALLY_FIELDS)}
FROM (SELECT batch_id, {", ".join(f"sum({name}) AS {name}" for name in TALLY_FIELDS)} FROM validation_chunk
    WHERE batch_id = ANY(%s) GROUP BY batch_id) counted WHERE counted.batch_id = b.id
"""


def fill(heavy: User, results: int) -> None:
    """Store so many results: those of the heavy customer first, the rest in the lists of others."""
    started = time.monotonic()
    Subscription.objects.filter(organisation=heavy.own_organisation).update(plan=Plan.PRO)
    share = min(1.0, results / 10_000_000)
    ours = _make_lists([heavy.own_organisation.pk], [max(1, int(size * share)) for size in HEAVY_LISTS])
    running = _make_running(heavy, int(RUNNING * share))
    singles = int(HEAVY_SINGLES * share)
    left = results - sum(HEAVY_LISTS) - RUNNING // 2 - singles if share == 1 else int(results / 2)
    others = _make_lists(_list_others(heavy), [OTHER_LIST] * (left // OTHER_LIST))
    evidence = f"[{_make_evidence(ours[0])}, 1]"
    with connection.cursor() as cursor:
        definitions = _drop_indexes()
        cursor.execute("SELECT setseed(0.5)")
        cursor.execute(_OF_LISTS.replace(_EVIDENCE, evidence).replace("{rows}", "total_emails"), [[*ours, *others]])
        cursor.execute(_OF_LISTS.replace(_EVIDENCE, evidence).replace("{rows}", "total_emails / 2"), [[running]])
        cursor.execute(
            _SINGLES.replace(_EVIDENCE, _ALONE), [heavy.own_organisation.pk, singles, max(1, singles), singles]
        )
        print(f"written after {time.monotonic() - started:,.0f} s", flush=True)
        for definition in definitions:
            cursor.execute(definition)
        print(f"indexes after {time.monotonic() - started:,.0f} s", flush=True)
        cursor.execute(_CHUNKS, [[*ours, *others, running]])
        cursor.execute(_TALLY, [[*ours, *others]])
        cursor.execute("VACUUM ANALYZE")
    _count_days(heavy, results)
    print(f"done after {time.monotonic() - started:,.0f} s", flush=True)


def _make_lists(organisations: list[int], sizes: list[int]) -> list[int]:
    """Ended lists of so many rows, dealt to the organisations in turn; answers their ids."""
    now = timezone.now()
    begun = [now - timedelta(days=DAYS - number * DAYS / len(sizes)) for number in range(len(sizes))]
    made = Batch.objects.bulk_create(
        (
            Batch(
                organisation_id=organisations[number % len(organisations)],
                batch_type=BatchType.FILE_UPLOAD,
                filename=f"list-{number}-{size}.csv",
                total_emails=size,
                status=BatchStatus.COMPLETED,
                created_at=begun[number],
                completed_at=min(now, begun[number] + timedelta(hours=1)),
            )
            for number, size in enumerate(sizes)
        ),
        batch_size=1_000,
    )
    return [batch.pk for batch in made]


def _make_running(heavy: User, size: int) -> int:
    batch = Batch.objects.create(
        organisation=heavy.own_organisation,
        batch_type=BatchType.FILE_UPLOAD,
        filename="under-work.csv",
        total_emails=size,
        status=BatchStatus.PROCESSING,
        started_at=timezone.now(),
    )
    return batch.pk


def _make_evidence(batch_id: int) -> int:
    """A page with two rows of evidence; answers its number."""
    page = EvidencePage()
    for _ in range(2):
        page.add(ASKED)
    return Evidence.objects.create(batch_id=batch_id, rows=page.pack()).pk


def _list_others(heavy: User) -> list[int]:
    return list(User.objects.exclude(pk=heavy.pk).order_by("pk").values_list("pk", flat=True)[:20_000])


def _drop_indexes() -> list[str]:
    """Take the indexes away, but that of the primary key; answers the statements that make them again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass "
            "AND contype = 'u'",
            [_TABLE],
        )
        unique = cursor.fetchall()
        for name, _ in unique:
            cursor.execute(f"ALTER TABLE {_TABLE} DROP CONSTRAINT {name}")
        cursor.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT LIKE '%%pkey'", [_TABLE]
        )
        others = cursor.fetchall()
        for name, _ in others:
            cursor.execute(f"DROP INDEX {name}")
    constraints = [f"ALTER TABLE {_TABLE} ADD CONSTRAINT {name} {definition}" for name, definition in unique]
    return [*constraints, *(definition for _, definition in others)]


def _count_days(heavy: User, results: int) -> None:
    """The daily counts of the heavy customer, which its analytics read."""
    today = rollups.day_of(timezone.now())
    a_day = max(1, results // 4 // DAYS)
    for ago, source in ((ago, source) for ago in range(DAYS) for source in (Source.LIST, Source.SINGLE)):
        rollups.add_counts(
            dict.fromkeys(TALLY_FIELDS, 0) | _split_day(a_day),
            organisation_id=heavy.own_organisation.pk,
            on=today - timedelta(days=ago),
            source=source,
        )


def _split_day(size: int) -> dict[str, int]:
    valid = size * 6 // 10
    return {
        "processed": size,
        "valid_count": valid,
        "invalid_count": size - valid,
        "safe_to_send_count": valid,
        "credits_used": size,
    }
