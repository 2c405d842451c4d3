"""The mails about the rules of an organisation."""

from datetime import datetime

from accounts.organisations.models import Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.rules.models import OwnedDomain
from accounts.users.models import User
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

_SECURITY_PAGE = "/account-settings?tab=profile#security"
_RULES_PAGE = "/team?tab=rules"
_NAMES = {"organisation": "Birch works", "domain": "alder-and-ash.com"}
_WHEN = "21 November 2026, 09:30 UTC"

mail.register_mail(
    "second_factor_required",
    example={"organisation": "Birch works", "when": _WHEN, "link": mail.build_link(_SECURITY_PAGE)},
)
mail.register_mail(
    "domain_proof_lost",
    example=_NAMES
    | {
        "record": "_emailcheck.alder-and-ash.com",
        "value": "emailcheck-domain=5e1f0c",
        "when": _WHEN,
        "link": mail.build_link(_RULES_PAGE),
    },
)
mail.register_mail("domain_rule_ended", example=_NAMES | {"link": mail.build_link(_RULES_PAGE)})


def send_second_factor_required(*, user: User, organisation: Organisation) -> None:
    """From when the organisation wants a second factor."""
    assert organisation.second_factor_from is not None
    context = {
        "organisation": organisation.title,
        "when": format_moment(organisation.second_factor_from),
        "link": mail.build_link(_SECURITY_PAGE),
    }
    mail.send_mail(name="second_factor_required", to=user.email, context=context)


def send_proof_lost(*, domain: OwnedDomain, ends_at: datetime) -> None:
    """Which record is missing, and until when the rule goes on without it."""
    context = {
        "record": domain.record_name,
        "value": domain.record_value,
        "when": format_moment(ends_at),
    }
    _mail_leaders("domain_proof_lost", domain, context)


def send_rule_ended(*, domain: OwnedDomain) -> None:
    _mail_leaders("domain_rule_ended", domain, {})


def _mail_leaders(name: str, domain: OwnedDomain, context: dict[str, str]) -> None:
    """To its owners and admins."""
    organisation = domain.organisation
    leaders = organisation.memberships.filter(role__in=(OrganisationRole.OWNER, OrganisationRole.ADMIN))
    about = {
        "organisation": organisation.title,
        "domain": domain.name,
        "link": mail.build_link(_RULES_PAGE),
    }
    for address in leaders.order_by("pk").values_list("user__email", flat=True):
        mail.send_mail(name=name, to=address, context=about | context)
