"""Mails about API keys: one was made, one was found in public, one makes calls that use something deprecated."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from accounts.access.models import ApiKey
from accounts.keys.models import KeyLeak
from accounts.organisations.models import Organisation
from accounts.users.models import User
from emailcheck.common.api.deprecations import Deprecation, build_entry_link
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_day, format_moment

API_KEYS_PAGE = "/account-settings?tab=profile#api-keys"
REQUESTS_PAGE = "/account-settings?tab=profile#request-log"

_WHEN = "21 November 2026, 09:30 UTC"

mail.register_mail(
    "api_key_created",
    example={
        "key_name": "Shop", "prefix": "ec_live_Yg0dwpY1", "scopes": "read, write", "when": _WHEN,
        "link": mail.build_link(API_KEYS_PAGE),
    },
)  # fmt: skip

mail.register_mail(
    "deprecated_calls",
    example={
        "organisation": "Alder & Ash",
        "calls": [
            {
                "prefix": "ec_live_Yg0dwpY1", "call": "GET /api/v1/validate/batches", "when": _WHEN,
                "uses": [
                    {
                        "name": "`page` of lists", "text": "Send `limit`.", "ends": "30 November 2027",
                        "link": mail.build_link("/changelog"),
                    }
                ],
            }
        ],
        "link": mail.build_link(REQUESTS_PAGE),
    },
)  # fmt: skip

mail.register_mail(
    "api_key_leaked",
    example={
        "key_name": "Shop", "prefix": "ec_live_Yg0dwpY1", "organisation": "Holm Outdoor", "revoked": True,
        "place": "github[.]com/holm/shop/blob/main/config.py", "when": _WHEN, "link": mail.build_link(API_KEYS_PAGE),
    },
)  # fmt: skip


class DeprecatedCall(NamedTuple):
    """A call that uses something deprecated: with which key, and when last."""

    prefix: str
    call: str
    last: datetime
    uses: list[Deprecation]


def send_key_created(*, key: ApiKey) -> None:
    context = {
        "key_name": key.name,
        "prefix": key.prefix,
        "scopes": ", ".join(key.scopes),
        "when": format_moment(key.created_at),
        "link": mail.build_link(API_KEYS_PAGE),
    }
    mail.send_mail(
        name="api_key_created",
        to=(key.maker or key.organisation.contact).email,
        context=context,
        key=f"api_key_created:{key.pk}",
    )


def send_deprecated_calls(*, organisation: Organisation, to: str, calls: Iterable[DeprecatedCall], key: str) -> None:
    """Which calls of an organisation used what, until when that works, and what replaces it."""
    shown = [
        {
            "prefix": one.prefix,
            "call": one.call,
            "when": format_moment(one.last),
            "uses": [
                {
                    "name": use.name,
                    "text": use.text,
                    "ends": format_day(use.sunset),
                    "link": build_entry_link(use),
                }
                for use in one.uses
            ],
        }
        for one in calls
    ]
    context = {"organisation": organisation.title, "calls": shown, "link": mail.build_link(REQUESTS_PAGE)}
    mail.send_mail(name="deprecated_calls", to=to, context=context, key=key)


def send_key_leaked(*, leak: KeyLeak, to: User) -> None:
    """To one whom the leak concerns: which key, where it was found, what was done."""
    context = {
        "key_name": leak.key.name,
        "prefix": leak.key.prefix,
        "organisation": leak.organisation.title,
        "revoked": leak.revoked,
        "place": unlink_place(leak.place),
        "when": format_moment(leak.reported_at),
        "link": mail.build_link(API_KEYS_PAGE),
    }
    mail.send_mail(name="api_key_leaked", to=to.email, context=context, key=f"api_key_leaked:{leak.pk}:{to.pk}")


def unlink_place(place: str) -> str:
    """The address of a place written so that no mail program makes a link of it: anybody may have reported it."""
    host, slash, path = place.partition("://")[2].partition("/") if "://" in place else place.partition("/")
    return f"{host.replace('.', '[.]')}{slash}{path}"
