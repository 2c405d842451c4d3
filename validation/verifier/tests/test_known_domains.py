"""Which domains accept every name is known to all processes, and after a restart."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings as product
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.engine import Verdict
from validation.single.services import validate_single
from validation.verifier.checker import Checker, delete_expired_domains, engine_config
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.models import DomainMemory

pytestmark = pytest.mark.postgres

STRICT, OPEN = "rosa.kent@harborquill.com", "rosa.kent@velvetcircuit.com"


@pytest.fixture
def process(world: Sandbox) -> Callable[[], Checker]:
    """A new process as far as memory goes: an engine that knows nothing yet."""
    return lambda: Checker(engine_config(), MachineLimits(product.SESSIONS_DIR))


def asked(world: Sandbox) -> int:
    """How many recipients the simulated hosts were asked for."""
    commands: dict[str, int] = world.simulation.stats.report()["commands"]
    return commands.get("RCPT", 0)


def catch_all_of(verdict: Verdict) -> tuple[str, str]:
    return next((check.source, check.detail) for check in verdict.checks if check.name == "catch_all")


@pytest.mark.django_db
def test_a_second_process_asks_for_no_random_recipient(world: Sandbox, process: Callable[[], Checker]) -> None:
    first = process()
    before = first.check(STRICT)
    first.store_learned()
    assert asked(world) == 2
    second = process()
    second.load_known_domains([STRICT, "not an address", OPEN])
    after = second.check(STRICT)
    assert asked(world) == 3
    assert (before.category, before.is_catch_all) == (after.category, after.is_catch_all)
    assert (catch_all_of(before)[0], catch_all_of(after)[0]) == ("SMTP RCPT TO", "cache")
    assert catch_all_of(before)[1] == catch_all_of(after)[1]


def test_lists_and_single_checks_keep_what_they_learn(world: Sandbox, alice: User, settings: Any) -> None:
    settings.VERIFIER_HELO = "fresh.emailcheck.app"  # an engine of its own, that knows nothing yet
    batches.start_list(organisation=alice.own_organisation, lines=[STRICT], batch_type=BatchType.BULK_TEXTAREA)
    validate_single(organisation=alice.own_organisation, address=OPEN)
    known = dict(DomainMemory.objects.values_list("domain", "accepts_all"))
    assert known == {"harborquill.com": False, "velvetcircuit.com": True}


@pytest.mark.django_db
def test_what_is_learned_again_replaces_what_was_known(process: Callable[[], Checker]) -> None:
    checker = process()
    DomainMemory.objects.create(
        domain="harborquill.com", accepts_all=True, reply="250 old", expires_at=timezone.now() - timedelta(hours=1)
    )
    checker.load_known_domains([STRICT])
    verdict = checker.check(STRICT)
    checker.store_learned()
    checker.store_learned()
    row = DomainMemory.objects.get()
    assert (verdict.category, row.accepts_all, row.reply[:9]) == ("valid", False, "550 5.1.1")
    assert timedelta(hours=23) < row.expires_at - timezone.now() < timedelta(hours=25)


@pytest.mark.django_db
def test_an_international_domain_is_found_by_its_name_in_the_dns(process: Callable[[], Checker]) -> None:
    checker = process()
    until = datetime(2100, 1, 1, tzinfo=UTC)
    DomainMemory.objects.create(domain="xn--mnchner-laden-wob.com", accepts_all=True, reply="250 Ok", expires_at=until)
    checker.load_known_domains(["kasse@Münchner-Laden.com"])
    assert checker.check("kasse@münchner-laden.com").category == "catch_all"


@pytest.mark.django_db
def test_a_list_costs_one_query_and_nothing_new_costs_none(
    process: Callable[[], Checker], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    checker = process()
    with django_assert_num_queries(1):
        checker.load_known_domains([f"a@domain{number}.com" for number in range(1_500)])
    with django_assert_num_queries(0):
        checker.store_learned()


@pytest.mark.django_db
def test_what_no_longer_counts_is_forgotten() -> None:
    now = timezone.now()
    for name, left in (("old.com", -1), ("new.com", 1)):
        DomainMemory.objects.create(
            domain=name, accepts_all=True, reply="250 Ok", expires_at=now + timedelta(minutes=left)
        )
    delete_expired_domains()
    assert [row.domain for row in DomainMemory.objects.all()] == ["new.com"]
