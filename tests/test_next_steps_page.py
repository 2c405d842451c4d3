"""The page that says what to do after a list, and who sees it."""

import json
import re

import pytest

from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from conftest import browser_of
from validation.tests import stored
from validation.tests.team import add_member


@pytest.mark.spec("REP-034")
def test_every_role_that_reads_lists_sees_it_and_billing_does_not(alice: User) -> None:
    org, batch = alice.own_organisation, stored.finished(alice, [("a@b.com", "valid")])
    path = f"/dashboard/batch/{batch.public_id}/next-steps"
    found = {}
    for role in OrganisationRole:
        member = alice if role == OrganisationRole.OWNER else add_member(org, role, role.value)
        User.objects.filter(pk=member.pk).update(current_organisation=org)
        found[role.value] = browser_of(member).get(path)
    assert {role: answer.status_code for role, answer in found.items()} == {
        "owner": 200, "admin": 200, "member": 200, "developer": 200, "viewer": 200, "billing": 403,
    }  # fmt: skip
    page = found["viewer"].content.decode()
    props = re.search(r'<script id="island-next-steps-\d+"[^>]*>(.*?)</script>', page)
    assert props is not None
    assert json.loads(props[1]) == {"batch_id": batch.public_id}
    assert "<title>Next steps" in page
