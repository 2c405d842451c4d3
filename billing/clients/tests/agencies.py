"""An agency of Alice's, with a client."""

from io import BytesIO
from typing import Any

from PIL import Image
from rest_framework.test import APIClient

from accounts.organisations.models import Membership, Organisation
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from billing.clients import services as clients
from billing.ledger.models import CreditAccount


def make_client(alice: User, name: str = "Cedar Books") -> Organisation:
    return clients.make_client(agency=alice.own_organisation, name=name)


def join(user: User, organisation: Organisation, role: str) -> Membership:
    return Membership.objects.create(user=user, organisation=organisation, role=role)


def client_in(user: User, organisation: Organisation) -> APIClient:
    """An API client of somebody who works in an organisation."""
    api, token = APIClient(), start_sign_in(user=user, device="test").access
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}", HTTP_X_ORGANISATION=organisation.public_id)
    return api


def balance(organisation: Organisation) -> int:
    return CreditAccount.objects.get(organisation=organisation).balance


def transfer(api: APIClient, client: Organisation, **body: Any) -> Any:
    values = {"direction": "to_client", "key": "transfer-1"} | body
    return api.post(f"/api/organisation/clients/{client.public_id}/transfers", values, format="json")


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20)) -> bytes:
    file, image = BytesIO(), Image.new("RGB", size, "#c96")
    more = {"save_all": True, "append_images": [image]} if kind == "MPO" else {}
    image.save(file, kind, **more)
    return file.getvalue()
