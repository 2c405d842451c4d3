"""The mail about a new API key."""

from accounts.access.models import ApiKey
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

API_KEYS_PAGE = "/account-settings?tab=profile#api-keys"

_WHEN = "21 November 2026, 09:30 UTC"

mail.register_mail(
    "api_key_created",
    example={
        "key_name": "Shop", "prefix": "ec_live_Yg0dwpY1", "scopes": "read, write", "when": _WHEN,
        "link": mail.build_link(API_KEYS_PAGE),
    },
)  # fmt: skip


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
