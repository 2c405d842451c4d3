"""Who calls, and what of Alice's there is to call, for the tests of every call of the API."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from accounts.access.models import ApiKey, SignIn
from accounts.keys import services as keys
from accounts.organisations.models import Membership
from accounts.organisations.roles import OrganisationRole
from accounts.rules import domains
from accounts.team import invitations
from accounts.team.models import Invitation
from accounts.users.models import User
from billing.payments import records
from billing.payments.models import Payment, PaymentKind, PaymentMethod, PaymentState
from billing.payments.paypal import Amount
from conftest import client_of, client_with
from emailcheck.common.api import throttles
from emailcheck.common.opaque_ids import encode_id
from emailcheck.common.shared_state.files import EmbeddedState
from tests.permission_table import LIVING
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.webhooks import services as webhooks
from validation.webhooks.models import WebhookDelivery


@pytest.fixture
def batch(world: Sandbox, alice: User) -> Batch:
    return batches.start_list(organisation=alice.own_organisation, lines=[LIVING], batch_type=BatchType.BULK_TEXTAREA)


@pytest.fixture
def key(alice: User) -> ApiKey:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Of Alice")[0]


@pytest.fixture
def invitation(alice: User) -> Invitation:
    return invitations.invite_person(
        organisation=alice.own_organisation,
        by=Membership.objects.get(user=alice),
        email="ivo@ivy.net",
        role=OrganisationRole.MEMBER,
    )


@pytest.fixture
def delivery(world: Sandbox, alice: User) -> WebhookDelivery:
    hook, _ = webhooks.create_endpoint(
        organisation=alice.own_organisation, url="https://inbox.hookbarn.com/permissions", events=["batch.completed"]
    )
    return WebhookDelivery.objects.create(webhook=hook, event="batch.completed", message_id="msg_1", key="1", body="{}")


@pytest.fixture
def payment(alice: User) -> Payment:
    return records.record_payment(
        provider_id="CAP-1",
        state=PaymentState.COMPLETED,
        kind=PaymentKind.CREDITS,
        amount=Amount.usd("59.00"),
        organisation_id=alice.pk,
        description="5,000 credits",
        payer_id="PAYER-1",
    )


@pytest.fixture
def cast(alice: User, bob: User, sam: User, anonymous_api: APIClient) -> dict[str, APIClient]:
    """The suspended account has a token from before."""
    carol = User.objects.create_user("carol@cedar.org", "correct-horse-42", name="Carol Cedar")
    suspended = client_of(carol)
    User.objects.filter(pk=carol.pk).update(is_active=False)
    return {
        "anonymous": anonymous_api,
        "alice": client_of(alice),
        "bob": client_of(bob),
        "reader": client_with(
            keys.create_key(organisation=alice.own_organisation, maker=alice, name="Reader", scopes=["read"])[1]
        ),
        "writer": client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Writer")[1]),
        "suspended": suspended,
        "staff": client_of(sam),
    }


@pytest.fixture
def undone(settings: Any) -> Callable[[], AbstractContextManager[None]]:
    """A context that leaves neither rows nor counted calls behind."""
    throttles.delete_old_counts()  # which makes the file
    counts = EmbeddedState(settings.LIMITS_FILE, "", wait_s=1.0)

    @contextmanager
    def around() -> Iterator[None]:
        with counts.writing() as requests:
            requests.execute("DELETE FROM requests")
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    return around


@pytest.fixture
def ids(
    cast: dict[str, APIClient],
    batch: Batch,
    key: ApiKey,
    payment: Payment,
    delivery: WebhookDelivery,
    invitation: Invitation,
) -> dict[str, Any]:
    """What of Alice's the addresses of the calls name."""
    own_session = SignIn.objects.filter(user=batch.organisation.contact).latest("pk")
    numbers = (
        "request_id",
        "plan_id",
        "deal_id",
        "contract_id",
        "message_id",
        "incident_id",
        "egress_id",
        "deletion_id",
    )
    return {
        **{f"int:{name}": 1 for name in numbers},
        "str:batch_id": batch.public_id,
        "str:result_id": batch.results.get().pk,
        "int:payment_id": payment.pk,
        "int:invoice_id": payment.invoice.pk,
        "int:user_id": batch.organisation.contact.pk,
        "int:method_id": PaymentMethod.objects.get().pk,
        "int:webhook_id": delivery.webhook_id,
        "str:webhook_id": encode_id("whk", delivery.webhook_id),
        "str:delivery_id": delivery.public_id,
        "int:key_id": key.pk,
        "int:member_id": Membership.objects.get(organisation=batch.organisation, user=batch.organisation.holder_id).pk,
        "str:invitation_id": invitation.public_id,
        "int:domain_id": domains.add_domain(organisation=batch.organisation, name="alder-and-ash.com").pk,
        "int:deletion_id": 1,  # nobody asked for one
        "str:name": "welcome",
        "str:session_id": own_session.pk,
    }
