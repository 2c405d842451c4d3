"""Every call as each role of an organisation, and as a stranger to it (ORG-004, ORG-005)."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.access.calling import NOT_A_MEMBER
from accounts.access.permissions import MayCall
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLES_OF, OrganisationRole, Right
from accounts.users.models import User
from conftest import client_of, make_user
from emailcheck.public.documentation import generated_tables
from tests.permission_table import BATCH, BODIES, EXPECTED, MEMBER, WITHOUT_SIGN_IN, file
from tests.reach import views
from tests.role_table import PERSONAL, RIGHTS
from tests.test_permissions import send, state, together
from validation.batches.uploads import drafts

RIGHT_OF = {call: right for right, calls in RIGHTS.items() for call in calls}
HEADS = {("HEAD", route): right for (method, route), right in RIGHT_OF.items() if method == "GET"}
# In one order, whatever order sets have.
CALLS = sorted(RIGHT_OF | HEADS, key=lambda call: (call[1], call[0]))
READS = frozenset({"owner", "admin", "developer", "member", "viewer"})
# The table again, in words of its own: which roles have which right.
TOLD: dict[Right, frozenset[str]] = {
    Right.LOOK: READS | {"billing"},
    Right.READ: READS,
    Right.CHECK: READS - {"viewer"},
    Right.CHANGE_LISTS: frozenset({"owner", "admin", "member"}),
    Right.DEVELOP: frozenset({"owner", "admin", "developer"}),
    Right.PAY: frozenset({"owner", "admin", "billing"}),
    Right.MANAGE: frozenset({"owner", "admin"}),
    Right.OWN: frozenset({"owner"}),
}
# What differs from what Alice gets, who is the only owner: by role, or for every one that may.
OTHERWISE = {
    ("PUT", BATCH, "developer"): 403,  # how long a list is kept is not theirs to say
    ("POST", "organisation/leave", ""): 200,
    ("DELETE", MEMBER, "owner"): 200,
    ("DELETE", MEMBER, "admin"): 403,  # an owner
    ("PUT", MEMBER, "admin"): 403,
    ("PUT", f"{MEMBER}/cap", "admin"): 403,
}


def test_every_call_of_people_has_its_right_or_is_personal() -> None:
    of_people = {
        (method, route)
        for method, route in EXPECTED
        if route not in WITHOUT_SIGN_IN and not re.match(r"\^?admin|monitoring|schema", route)
    }
    assert of_people == set(RIGHT_OF) | PERSONAL
    assert sum(map(len, RIGHTS.values())) == len(RIGHT_OF)


@pytest.mark.spec("ORG-004")
def test_the_rights_of_roles_are_those_that_are_told() -> None:
    assert {right: frozenset(map(str, roles)) for right, roles in ROLES_OF.items()} == TOLD


@pytest.mark.spec("ORG-005")
def test_the_documents_have_the_table_of_all_calls() -> None:
    written = generated_tables.ROLES_DOCUMENT.read_text()
    assert generated_tables.replace_tables(written) == written
    for (method, route), right in RIGHT_OF.items():
        cells = " | ".join("yes" if role in TOLD[right] else "no" for role in OrganisationRole.values)
        path = re.sub("<.*?:(.*?)>", r"{\1}", route)
        assert f"| `{method} /{path}` | {right} | {cells} |" in written


def test_every_view_says_what_it_needs() -> None:
    asked = [
        view for view in views() if any(issubclass(one, MayCall) for one in getattr(view, "permission_classes", ()))
    ]
    assert len(asked) > 100
    assert [view for view in asked if not hasattr(view, "right")] == []


@pytest.fixture
def colleagues(alice: User) -> dict[str, APIClient]:
    """A member of Alice's organisation of each role, who works there."""
    made = {}
    for role in OrganisationRole.values:
        person = make_user(f"{role}@alder.com", f"{role.title()} Reed")
        Membership.objects.create(organisation=alice.own_organisation, user=person, role=role)
        User.objects.filter(pk=person.pk).update(current_organisation=alice.own_organisation)
        made[role] = client_of(person)
    return made


def fill(route: str, ids: dict[str, Any]) -> str:
    return "/api/" + re.sub("<(.*?)>", lambda found: str(ids.get(found[1], "unknown")), route)


def read_refusal(answer: Any) -> tuple[str, str] | None:
    """Code and sentence of a refusal; an answer to HEAD has neither."""
    return (answer.json()["code"], answer.json()["detail"]) if answer.content else None


@pytest.mark.postgres
@pytest.mark.usefixtures("buyer")
@pytest.mark.spec("ORG-004", "ORG-005")
@pytest.mark.parametrize("calls", together(CALLS), ids=lambda calls: f"from {calls[0][0]} {calls[0][1]}")
def test_each_role_gets_what_the_table_says(
    colleagues: dict[str, APIClient],
    alice: User,
    ids: dict[str, Any],
    undone: Callable[[], AbstractContextManager[None]],
    calls: list[tuple[str, str]],
) -> None:
    for method, route in calls:
        for role, api in colleagues.items():
            with undone():
                if "upload_id" in route:
                    draft = drafts.inspect_upload(
                        organisation=alice.own_organisation, upload=file(), choices=drafts.UploadChoices()
                    )
                    ids["str:upload_id"] = draft.public_id
                before = state()
                answer = send(api, method, fill(route, ids), BODIES.get(route, dict)())
                same = method.replace("HEAD", "GET")
                may = role in TOLD[RIGHT_OF[same, route]]
                wanted = EXPECTED[same, route]["alice"] if may else 403
                wanted = OTHERWISE.get((method, route, role), OTHERWISE.get((method, route, ""), wanted))
                assert (method, route, role, answer.status_code) == (method, route, role, wanted)
                if not may:
                    told = f"Your role ({role}) does not allow this. Ask an owner or admin of Alice Alder."
                    assert read_refusal(answer) == (("PERMISSION_DENIED", told) if method == same else None)
                    assert state() == before


@pytest.mark.postgres
@pytest.mark.usefixtures("buyer")
@pytest.mark.spec("ORG-005", "ORG-025")
@pytest.mark.parametrize("calls", together(CALLS), ids=lambda calls: f"from {calls[0][0]} {calls[0][1]}")
def test_another_organisation_is_not_found_whatever_is_named(
    alice: User,
    bob: User,
    ids: dict[str, Any],
    undone: Callable[[], AbstractContextManager[None]],
    calls: list[tuple[str, str]],
) -> None:
    """Bob names Alice's organisation, and what is hers in his own."""
    api, named = client_of(bob), {"headers": {"X-Organisation": alice.own_organisation.public_id}}
    before = state()
    for method, route in calls:
        with undone():
            answer = send(api, method, fill(route, ids), BODIES.get(route, dict)() | named)
            assert (method, route, answer.status_code) == (method, route, 404)
            assert read_refusal(answer) == (None if method == "HEAD" else ("NOT_FOUND", NOT_A_MEMBER))
            assert state() == before


@pytest.mark.spec("ORG-005", "TEA-001", "ORG-023")
def test_calls_that_only_ask_for_the_head_are_closed_as_the_others(
    colleagues: dict[str, APIClient], alice: User
) -> None:
    Organisation.objects.filter(pk=alice.pk).update(networks=["203.0.113.0/24"])
    paths = {route: fill(re.sub("<int:.*?>", "1", route), {}) for _, route in HEADS}
    found = {route: colleagues["owner"].head(path).status_code for route, path in paths.items()}
    assert found == dict.fromkeys(found, 403)
    assert len(found) > 40


@pytest.mark.spec("ORG-005")
def test_a_method_that_a_view_does_not_name_is_refused(colleagues: dict[str, APIClient], alice: User) -> None:
    several = ("organisation", "organisation/rules", "organisation/clients", "user/retention")
    for api in (colleagues["owner"], colleagues["billing"]):
        for route in several:
            assert [getattr(api, method)(f"/api/{route}").status_code for method in ("patch", "options")] == [405, 405]


@pytest.mark.spec("ORG-006")
def test_a_role_that_changes_takes_effect_with_the_next_call(colleagues: dict[str, APIClient], alice: User) -> None:
    api = colleagues["viewer"]
    mine = Membership.objects.filter(organisation=alice.own_organisation, user__email="viewer@alder.com")
    assert api.get("/api/validate/batches").status_code == 200
    mine.update(role=OrganisationRole.BILLING)
    assert (api.get("/api/validate/batches").status_code, api.get("/api/invoices").status_code) == (403, 200)
    mine.delete()
    assert api.get("/api/invoices").status_code == 200  # their own
    headers = {"X-Organisation": alice.own_organisation.public_id}
    assert api.get("/api/invoices", headers=headers).status_code == 404


@pytest.mark.spec("ORG-033")
def test_a_key_works_in_its_organisation_alone(
    colleagues: dict[str, APIClient], cast: dict[str, APIClient], bob: User
) -> None:
    headers = {"X-Organisation": bob.own_organisation.public_id}
    own = cast["reader"].get("/api/auth/me", headers=headers).json()["organisation"]
    assert (own["name"], own["role"], own["rights"]) == ("Alice Alder", None, [])
    assert cast["reader"].get("/api/auth/me").json()["organisations"] == []
