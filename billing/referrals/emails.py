"""The mail to a referrer."""

from billing.catalogue.price_list import REFERRAL_REWARD
from billing.referrals.models import Referral
from emailcheck.common.outbound import mail

FRIENDS = "/dashboard?tab=referrals"

mail.register_mail(
    "referral_converted", example={"reward": REFERRAL_REWARD, "balance": 1_240, "link": mail.build_link(FRIENDS)}
)


def send_referral_converted(*, referral: Referral, balance: int) -> None:
    """To the referrer; the friend is not named."""
    context = {"reward": REFERRAL_REWARD, "balance": balance, "link": mail.build_link(FRIENDS)}
    key = f"referral_converted:{referral.pk}:{referral.payment_id}"
    mail.send_mail(name="referral_converted", to=referral.referrer.contact.email, context=context, key=key)
