"""Lists and webhooks from before they named their makers."""

from importlib import import_module
from types import SimpleNamespace

from django.db import connection

from accounts.users.models import User
from validation.batches.models import Batch
from validation.tests import stored
from validation.webhooks.models import Webhook, WebhookHost


def test_what_names_no_maker_gets_the_holder_of_its_organisation(alice: User, bob: User) -> None:
    old, made = (stored.finished(alice, [("a@x.org", "valid")]) for _ in range(2))
    Batch.objects.filter(pk=made.pk).update(maker=bob)
    host = WebhookHost.objects.create(name="x.org")
    hook = Webhook.objects.create(organisation=bob.own_organisation, url="https://x.org/", host=host, events=[])
    for _ in range(2):
        import_module("validation.migrations.0007_name_makers").name_makers(
            None, SimpleNamespace(connection=connection)
        )
    assert dict(Batch.objects.values_list("pk", "maker")) == {old.pk: alice.pk, made.pk: bob.pk}
    assert Webhook.objects.get(pk=hook.pk).maker == bob
