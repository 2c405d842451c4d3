"""One simulated PayPal: its parts, wired together."""

from pathlib import Path

from emailcheck.sandbox.paypal.commerce.catalogue import Catalogue
from emailcheck.sandbox.paypal.commerce.orders import Orders
from emailcheck.sandbox.paypal.commerce.payments import Payments
from emailcheck.sandbox.paypal.commerce.renewals import Renewals
from emailcheck.sandbox.paypal.commerce.subscriptions import Subscriptions
from emailcheck.sandbox.paypal.context import PayPalContext
from emailcheck.sandbox.paypal.records import Webhook
from emailcheck.sandbox.paypal.rest import Rest
from emailcheck.sandbox.paypal.webhook_delivery import WebhookCourier

PATH = "/sandbox/paypal"


class PayPalWorld:
    """PayPal, as far as a shop and its buyers see it. Raises `OSError` when its folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.site = PayPalContext(folder)
        self.payments = Payments(self.site)
        self.orders = Orders(self.site, self.payments)
        self.catalogue = Catalogue(self.site)
        self.renewals = Renewals(self.site, self.payments)
        self.subscriptions = Subscriptions(self.site, self.catalogue, self.renewals)
        self.courier = WebhookCourier(self.site)
        self.rest = Rest(self.site, self.catch_up)

    def configure(self, *, api: str, site_url: str, webhook_id: str, webhook_url: str) -> None:
        """Set its own address, its address for the buyer's browser, and the shop's address for events."""
        self.site.shapes.api = api
        self.site.shapes.web = f"{site_url or api}{PATH}"
        if webhook_id and webhook_url:
            self.site.memory.webhooks[webhook_id] = Webhook(id=webhook_id, url=webhook_url, event_types=["*"])

    def catch_up(self) -> None:
        """Process everything that is due, and store it."""
        if self.renewals.catch_up() | self.orders.expire():
            self.site.state.save()
