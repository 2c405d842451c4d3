"""Domains that accept every name: stored in the database, for all processes and over restarts.

The engine's own memory stays the first level. One query reads the stored facts of a list's domains before the engine
starts. The engine's new facts are written with its results: one statement, after the results' transaction, so that
neither waits for the other.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.utils import timezone

from emailcheck.common.text.database_text import make_storable
from validation.engine import AddressSyntaxError, parse
from validation.engine.probes.catch_all import DomainOutcome
from validation.signals import routes_used
from validation.verifier.checker import Checker
from validation.verifier.models import DomainMemory


def load_known_domains(checker: Checker, addresses: Iterable[str]) -> None:
    """Pass the stored facts about some addresses' domains to the engine."""
    domains = {domain for domain in set(map(_domain_of, addresses)) if domain and not checker.remembers(domain)}
    if not domains:
        return
    known = DomainMemory.objects.filter(domain__in=domains, expires_at__gt=timezone.now())
    checker.recall(
        [
            DomainOutcome(domain, accepts_all, reply, expires_at.timestamp())
            for domain, accepts_all, reply, expires_at in known.values_list()
        ]
    )


def store_learned(checker: Checker) -> None:
    """Store the engine's new facts, the last one for each domain, and send the reports of its routes."""
    if reports := checker.route_reports():
        routes_used.send(sender=None, reports=reports)
    fresh = {outcome.domain: outcome for outcome in checker.learned()}
    if not fresh:
        return
    DomainMemory.objects.bulk_create(
        [
            _build_row(fresh[domain]) for domain in sorted(fresh)
        ],  # in one order, so that two writers never wait in a circle
        update_conflicts=True,
        unique_fields=["domain"],
        update_fields=["accepts_all", "reply", "expires_at"],
    )


def delete_expired() -> None:
    """Delete expired facts."""
    DomainMemory.objects.filter(expires_at__lte=timezone.now()).delete()


def _build_row(outcome: DomainOutcome) -> DomainMemory:
    return DomainMemory(
        domain=outcome.domain,
        accepts_all=outcome.accepts_all,
        reply=make_storable(outcome.reply),
        expires_at=datetime.fromtimestamp(outcome.expires_at, UTC),
    )


def _domain_of(address: str) -> str:
    """The domain in the engine's spelling; "" for none. Only non-ASCII domains are converted."""
    domain = address.rpartition("@")[2].strip().lower()
    if domain.isascii():
        return domain[:255]
    try:
        return parse(address).domain
    except AddressSyntaxError:
        return ""
