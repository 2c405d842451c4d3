"""The mails about who belongs to an organisation, and to whom it belongs."""

from datetime import datetime

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLE_SENTENCES, OrganisationRole
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

TEAM_PAGE = "/team"
_WHEN = "21 November 2026, 09:30 UTC"
_ORGANISATION = {"organisation": "Alder Works", "by": "Rosa Ruiz", "when": _WHEN}

mail.register_mail(
    "invitation",
    example={
        "organisation": "Alder Works", "inviter": "Rosa Ruiz", "role": "Member", "sentence": "Checks and lists.",
        "until": _WHEN, "link": mail.build_link("/invitation?token=example"),
    },
)  # fmt: skip
mail.register_mail(
    "role_changed",
    example=_ORGANISATION
    | {"before": "Viewer", "role": "Member", "sentence": "Checks and lists.", "link": mail.build_link(TEAM_PAGE)},
)
mail.register_mail("member_removed", example=_ORGANISATION)
mail.register_mail(
    "ownership_transfer",
    example={
        "organisation": "Alder Works", "giver": "Rosa Ruiz", "receiver": "Ida Holm", "step": "offered", "until": _WHEN,
        "link": mail.build_link(TEAM_PAGE),
    },
)  # fmt: skip
mail.register_mail("organisation_deleted", example=_ORGANISATION | {"credits": 100})


def send_invitation(*, invitation: Invitation, token: str) -> None:
    """The link that `token` opens, to the invited address."""
    inviter = invitation.inviter
    context = {
        "organisation": invitation.organisation.title,
        "inviter": inviter.name if inviter else invitation.organisation.title,
        "role": OrganisationRole(invitation.role).label,
        "sentence": ROLE_SENTENCES[OrganisationRole(invitation.role)],
        "until": format_moment(invitation.expires_at),
        "link": mail.build_link(f"/invitation?token={token}"),
    }
    mail.send_mail(name="invitation", to=invitation.email, context=context, key=f"invitation:{invitation.pk}")


def send_role_changed(*, member: Membership, before: str, by: str, now: datetime) -> None:
    context = {
        "organisation": member.organisation.title,
        "by": by,
        "when": format_moment(now),
        "before": OrganisationRole(before).label,
        "role": OrganisationRole(member.role).label,
        "sentence": ROLE_SENTENCES[OrganisationRole(member.role)],
        "link": mail.build_link(TEAM_PAGE),
    }
    mail.send_mail(name="role_changed", to=member.user.email, context=context)


def send_member_removed(*, member: Membership, by: User, now: datetime) -> None:
    context = {"organisation": member.organisation.title, "by": by.name, "when": format_moment(now)}
    mail.send_mail(name="member_removed", to=member.user.email, context=context, key=f"member_removed:{member.pk}")


def send_transfer_step(*, transfer: OwnershipTransfer, step: str) -> None:
    """Mail giver and receiver about a step: `offered`, `accepted`, `declined` or `withdrawn`."""
    context = {
        "organisation": transfer.organisation.title,
        "giver": transfer.giver.name,
        "receiver": transfer.receiver.name,
        "step": step,
        "until": format_moment(transfer.expires_at),
        "link": mail.build_link(TEAM_PAGE),
    }
    for person in (transfer.giver, transfer.receiver):
        key = f"ownership_transfer:{transfer.pk}:{step}:{person.pk}"
        mail.send_mail(name="ownership_transfer", to=person.email, context=context, key=key)


def send_organisation_deleted(*, organisation: Organisation, credits: int, by: User, now: datetime) -> None:
    """To everybody who belongs to it; `credits`: how many lapse."""
    context = {"organisation": organisation.title, "by": by.name, "when": format_moment(now), "credits": credits}
    for member in organisation.memberships.select_related("user"):
        key = f"organisation_deleted:{organisation.pk}:{member.user_id}"
        mail.send_mail(name="organisation_deleted", to=member.user.email, context=context, key=key)
