"""Domains of mail: named by an organisation, proved by DNS, and looked after every day.

The record stands at `_emailcheck.{domain}` or at the domain itself. Only an answer of DNS counts: a resolver that fails
says nothing, so that an outage takes no rule away.
"""

import re
import secrets
from datetime import timedelta
from enum import StrEnum

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.rules import emails
from accounts.rules.google_rule import is_google_set_up
from accounts.rules.models import OwnedDomain
from accounts.users.models import domain_of
from emailcheck.common import registry
from emailcheck.common.errors import BadInput, Conflict, NotFound, TooMany, require_found
from emailcheck.common.queue import tasks

MOST = 20
RECHECK = "accounts.tasks.recheck_domain"
# How long a rule outlives the proof of its domain.
KEPT_FOR = timedelta(days=7)
_ASKED_EVERY = timedelta(seconds=10)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?=.{{4,253}}\Z)(?:{_LABEL}\.)+(?!\d+\Z){_LABEL}")
NO_DOMAIN = "Domain not found"
TAKEN = "Another organisation has proved this domain. It has to give it up first."


class Proof(StrEnum):
    """What DNS said."""

    PROVED = "proved"
    MISSING = "missing"
    UNKNOWN = "unknown"


def list_domains(organisation: Organisation) -> QuerySet[OwnedDomain]:
    """The domains that an organisation named, by name."""
    return OwnedDomain.objects.for_org(organisation).order_by("name")


@transaction.atomic
def add_domain(*, organisation: Organisation, name: str) -> OwnedDomain:
    """Name a domain, which is proved later by the TXT record it comes with.

    Raises `BadInput` (`FREE_MAIL_DOMAIN` where anybody can get a mailbox, `TOO_MANY_DOMAINS`), `Conflict`
    (`DOMAIN_EXISTS`).
    """
    domain = domain_of(f"@{name.strip().rstrip('.')}")
    if "@" in name or _DOMAIN.fullmatch(domain) is None:
        raise BadInput("Enter a domain such as example.com.", field="name", value=name)
    if registry.above.is_public_mail_domain(domain):
        raise BadInput(
            f"Anybody can get an address at {domain}: it has no owner.", code="FREE_MAIL_DOMAIN", field="name"
        )
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)  # one after another
    mine = list_domains(organisation)
    if mine.filter(name=domain).exists():
        raise Conflict(f"{domain} is listed already.", code="DOMAIN_EXISTS")
    if mine.count() >= MOST:
        raise BadInput(f"You have {MOST} domains. Remove one before you add another.", code="TOO_MANY_DOMAINS")
    made = OwnedDomain.objects.create(organisation=organisation, name=domain, token=secrets.token_hex(16))
    _record(made, "added")
    return made


def check_domain(*, organisation: Organisation, domain_id: int) -> tuple[OwnedDomain, Proof]:
    """Ask DNS now for the record of a domain; found, the domain is the organisation's.

    Raises `NotFound`, also for one that was removed meanwhile, `TooMany` right after another check, `Conflict`
    (`DOMAIN_TAKEN`) for one that another organisation has proved.
    """
    domain, now = _load(organisation, domain_id), timezone.now()
    due = Q(asked_at=None) | Q(asked_at__lte=now - _ASKED_EVERY)
    if not OwnedDomain.objects.filter(due, pk=domain.pk).update(asked_at=now):
        raise TooMany("DNS was asked a moment ago. Try again in a few seconds.", retry_after=_ASKED_EVERY.seconds)
    proof = _look_up_proof(domain)
    if proof is Proof.PROVED:
        _keep_proof(domain)
    return _load(organisation, domain_id), proof


@transaction.atomic
def require_google(*, organisation: Organisation, domain_id: int, required: bool) -> OwnedDomain:
    """Have the people of a proved domain sign in by Google alone, or no longer.

    Raises `NotFound`, `BadInput`: `DOMAIN_NOT_PROVED`, `GOOGLE_NOT_SET_UP`.
    """
    _load(organisation, domain_id)
    domain = require_found(OwnedDomain.objects.select_for_update().filter(pk=domain_id).first(), NO_DOMAIN)
    if required and domain.proved_at is None:
        raise BadInput("Prove that the domain is yours first.", code="DOMAIN_NOT_PROVED", field="google_required")
    if required and not is_google_set_up():
        raise BadInput("Sign-in with Google is not set up here.", code="GOOGLE_NOT_SET_UP", field="google_required")
    if domain.google_required != required:
        domain.google_required = required
        domain.save(update_fields=["google_required"])
        changes = {"google_required": [not required, required]}
        _record(domain, "changed: sign-in by Google", changes=changes)
    return domain


@transaction.atomic
def remove_domain(*, organisation: Organisation, domain_id: int) -> None:
    """Give a domain up, with its rule. Raises `NotFound`."""
    domain = _load(organisation, domain_id)
    if not OwnedDomain.objects.filter(pk=domain.pk).delete()[0]:
        raise NotFound(NO_DOMAIN)
    _record(domain, "removed")


def queue_rechecks() -> None:
    """Have every proved domain asked for again. Called daily; may be repeated."""
    for pk in OwnedDomain.objects.exclude(proved_at=None).values_list("pk", flat=True):
        tasks.enqueue(RECHECK, pk, queue="bulk")


def recheck_domain(*, domain_id: int) -> None:
    """Ask DNS for a proved domain. A lost proof is mailed, and after 7 days its rule ends. May be repeated."""
    domain = OwnedDomain.objects.filter(pk=domain_id).exclude(proved_at=None).first()
    if domain is None:
        return
    OwnedDomain.objects.filter(pk=domain_id).update(asked_at=timezone.now())
    proof = _look_up_proof(domain)
    if proof is Proof.PROVED:
        OwnedDomain.objects.filter(pk=domain_id).update(lost_at=None)
    elif proof is Proof.MISSING:
        _lose_proof(domain_id)


@transaction.atomic
def _lose_proof(domain_id: int) -> None:
    now = timezone.now()
    found = OwnedDomain.objects.select_for_update().select_related("organisation")
    domain = found.filter(pk=domain_id).exclude(proved_at=None).first()
    if domain is None:
        return
    if domain.lost_at is None:
        domain.lost_at = now
        domain.save(update_fields=["lost_at"])
        _record(domain, "is no longer proved by DNS")
        emails.send_proof_lost(domain=domain, ends_at=now + KEPT_FOR)
    elif domain.lost_at <= now - KEPT_FOR:
        changes = {"proved": [True, False], "google_required": [domain.google_required, False]}
        domain.proved_at, domain.lost_at, domain.google_required = None, None, False
        domain.save(update_fields=["proved_at", "lost_at", "google_required"])
        _record(domain, "was not proved for 7 days: its rule ended", changes=changes)
        emails.send_rule_ended(domain=domain)


def _keep_proof(domain: OwnedDomain) -> None:
    try:
        with transaction.atomic():
            first = OwnedDomain.objects.filter(pk=domain.pk, proved_at=None).update(proved_at=timezone.now())
            OwnedDomain.objects.filter(pk=domain.pk).update(lost_at=None)
            if first:
                _record(domain, "proved", changes={"proved": [False, True]})
    except IntegrityError as error:
        raise Conflict(TAKEN, code="DOMAIN_TAKEN") from error


def _look_up_proof(domain: OwnedDomain) -> Proof:
    """One of the two names is enough; that there is none is known when both were answered."""
    is_known = True
    for name in (domain.record_name, domain.name):
        texts = registry.above.look_up_texts(name)
        if texts is None:
            is_known = False
        elif domain.record_value in (text.strip() for text in texts):
            return Proof.PROVED
    return Proof.MISSING if is_known else Proof.UNKNOWN


def _load(organisation: Organisation, domain_id: int) -> OwnedDomain:
    domain = OwnedDomain.objects.for_org(organisation).select_related("organisation").filter(pk=domain_id).first()
    return require_found(domain, NO_DOMAIN)


def _record(domain: OwnedDomain, what: str, *, changes: dict[str, list[bool]] | None = None) -> None:
    audit_log.record_activity(
        organisation=domain.organisation,
        kind=ActivityKind.SETTINGS,
        action=f"Domain {domain.name} {what}",
        target=domain.name[:100],
        changes=changes,
    )
