"""Pages of people who belong to several organisations, with a role in each."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole, list_rights
from accounts.users.models import User
from conftest import browser_of, client_of
from emailcheck.common.web.context import DASHBOARD_TABS
from validation.tests import stored

SENTENCE = "Your role ({}) does not allow this. Ask an owner or admin of Birch &amp; Co."


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def join(user: User, owner: User, role: str) -> Organisation:
    """The organisation of another person, in which the user works from now on."""
    organisation = owner.own_organisation
    Organisation.objects.filter(pk=organisation.pk).update(name="Birch & Co")
    Membership.objects.create(user=user, organisation=organisation, role=role)
    User.objects.filter(pk=user.pk).update(current_organisation=organisation)
    organisation.refresh_from_db()
    return organisation


def rights_of(page: str) -> list[str]:
    found = re.search(r'<html [^>]*data-rights="([^"]*)"', page)
    assert found is not None
    return found[1].split()


@pytest.mark.spec("ORG-025", "ORG-006")
@pytest.mark.parametrize("role", OrganisationRole)
@pytest.mark.parametrize("path", ["/dashboard", "/account-settings", "/team"])
def test_every_page_names_the_organisation_the_role_and_its_rights(
    alice: User, bob: User, role: str, path: str
) -> None:
    organisation = join(alice, bob, role)
    page = text_of(browser_of(alice).get(path))
    assert f'data-organisation="{organisation.public_id}" data-organisation-name="Birch &amp; Co"' in page
    assert f'data-role="{role}"' in page
    assert rights_of(page) == list_rights(role)


@pytest.mark.spec("ORG-025")
@pytest.mark.parametrize("path", ["/", "/privacy", "/documentation", "/invitation?token=x"])
def test_public_pages_name_none(alice: User, path: str) -> None:
    assert "data-organisation=" not in text_of(browser_of(alice).get(path))


@pytest.mark.spec("ORG-025")
def test_whoever_has_several_switches_in_the_header(alice: User, bob: User) -> None:
    browser = browser_of(alice)
    alone = text_of(browser.get("/dashboard"))
    assert "data-switch=" not in alone
    assert re.search(r'<a class="organisation-name from-1024" href="/team" title="Alice Alder">Alice Alder</a>', alone)
    organisation = join(alice, bob, "viewer")
    page = text_of(browser.get("/dashboard"))
    items = re.findall(r'data-switch="([^"]+)"( aria-current="true")?[^>]*> <span class="break">([^<]+)</span>', page)
    mine = (alice.own_organisation.public_id, "", "Alice Alder")
    other = (organisation.public_id, ' aria-current="true"', "Birch &amp; Co")
    assert items == [mine, other] * 2  # in the header, and on phones in the menu
    assert "viewer · current" in page


OPEN_TABS = {
    "owner": {key for key, _ in DASHBOARD_TABS},
    "admin": {key for key, _ in DASHBOARD_TABS},
    "developer": {"validate", "history", "analytics", "campaigns", "referrals"},
    "member": {"validate", "history", "analytics", "campaigns", "referrals"},
    "viewer": {"history", "analytics", "campaigns", "referrals"},
    "billing": {"pricing", "custom-packages", "campaigns", "referrals"},
}


@pytest.mark.spec("ORG-006")
@pytest.mark.parametrize("role", OrganisationRole)
def test_tabs_that_the_role_does_not_open_are_not_offered_and_say_whom_to_ask(
    alice: User, bob: User, role: str
) -> None:
    join(alice, bob, role)
    browser = browser_of(alice)
    offered = set(re.findall(r'href="/dashboard\?tab=([a-z-]+)"', text_of(browser.get("/team"))))
    assert offered == OPEN_TABS[role]
    for key, _ in DASHBOARD_TABS:
        answer = browser.get(f"/dashboard?tab={key}")
        refused = SENTENCE.format(role) in text_of(answer)
        assert (answer.status_code, refused) == ((200, False) if key in offered else (403, True))
        assert answer["Cache-Control"] == "no-store"


@pytest.mark.spec("ORG-006")
@pytest.mark.parametrize(("role", "first"), [("owner", "validate"), ("viewer", "history"), ("billing", "pricing")])
def test_the_dashboard_opens_on_the_first_tab_of_the_role(alice: User, bob: User, role: str, first: str) -> None:
    join(alice, bob, role)
    page = text_of(browser_of(alice).get("/dashboard"))
    assert f'href="/dashboard?tab={first}" aria-current="page"' in page


@pytest.mark.spec("ORG-006")
def test_a_role_that_changes_takes_effect_with_the_next_page(alice: User, bob: User) -> None:
    join(alice, bob, "viewer")
    browser = browser_of(alice)
    assert browser.get("/dashboard?tab=pricing").status_code == 403
    Membership.objects.filter(user=alice, role="viewer").update(role="billing")
    assert browser.get("/dashboard?tab=pricing").status_code == 200
    assert browser.get("/dashboard?tab=history").status_code == 403


@pytest.mark.spec("ORG-025")
@pytest.mark.parametrize("what", ["list", "next steps", "result"])
def test_what_belongs_to_another_own_organisation_leads_to_the_question_whether_to_switch(
    alice: User, bob: User, what: str
) -> None:
    path = f"/dashboard/batch/{stored.finished(alice, [('a@b.com', 'valid')]).public_id}"
    if what == "next steps":
        path, what = f"{path}/next-steps", "list"
    if what == "result":
        path = f"/dashboard/result/{stored.single(alice, 'a@b.com').pk}"
    join(alice, bob, "viewer")
    browser, own = browser_of(alice), alice.own_organisation.public_id
    answer = browser.get(f"{path}?view=all")
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"/switch?to={own}&next={path.replace('/', '%2F')}%3Fview%3Dall",
    )
    page = text_of(browser.get(answer["Location"]))
    assert f"This {what} belongs to Alice Alder. Switch?" in page
    assert f'data-switch="{own}" data-next="{path}?view=all"' in page
    assert "This page belongs to Alice Alder. Switch?" in text_of(browser.get(f"/switch?to={own}&next=/team"))
    assert client_of(alice).post("/api/organisation/switch", {"organisation": own}, format="json").status_code == 200
    assert browser.get(path).status_code == 200
    assert browser.get(answer["Location"])["Location"] == f"{path}?view=all"


@pytest.mark.spec("ORG-025", "ORG-005")
def test_strangers_and_those_who_may_not_read_get_no_hint(alice: User, bob: User, sam: User) -> None:
    of_sam = f"/dashboard/batch/{stored.finished(sam, [('a@b.com', 'valid')]).public_id}"
    of_bob = f"/dashboard/batch/{stored.finished(bob, [('a@b.com', 'valid')]).public_id}"
    organisation = join(alice, bob, "billing")
    browser = browser_of(alice)
    for path in (of_sam, of_bob, f"{of_bob}/next-steps", "/dashboard/batch/nothing", "/dashboard/batch/no/next-steps"):
        answer = browser.get(path)
        assert (answer.status_code, SENTENCE.format("billing") in text_of(answer)) == (403, True)
    User.objects.filter(pk=alice.pk).update(current_organisation=None)
    assert [browser.get(path).status_code for path in (of_sam, of_bob)] == [404, 404]
    Membership.objects.filter(user=alice, organisation=organisation).update(role="viewer")
    assert browser.get(of_bob).status_code == 302


@pytest.mark.spec("ORG-025")
@pytest.mark.parametrize("wanted", ["", "https://evil.com/", "//evil.com", "/\\evil.com", "javascript:alert(1)"])
def test_the_switch_leads_nowhere_else(alice: User, bob: User, wanted: str) -> None:
    organisation = join(alice, bob, "viewer")
    page = browser_of(alice).get("/switch", {"to": alice.own_organisation.public_id, "next": wanted})
    assert 'data-next="/dashboard"' in text_of(page)
    assert organisation.public_id in text_of(page)


@pytest.mark.spec("ORG-025")
def test_only_own_organisations_can_be_switched_to(alice: User, bob: User) -> None:
    browser = browser_of(alice)
    assert browser.get("/switch", {"to": bob.own_organisation.public_id}).status_code == 404
    assert browser.get("/switch").status_code == 404


@pytest.mark.spec("ORG-003")
def test_team_and_its_menu_entries_are_for_who_is_signed_in(client: Client, alice: User, bob: User) -> None:
    assert client.get("/team")["Location"] == "/"
    for role in ("owner", "billing"):
        Membership.objects.filter(user=alice).exclude(organisation=alice.own_organisation).delete()
        join(alice, bob, role)
        page = browser_of(alice).get("/team")
        assert (page.status_code, 'data-island="team"' in text_of(page)) == (200, True)
        assert '<a class="account-item" href="/team">Team</a>' in text_of(page)


@pytest.mark.spec("ORG-011")
def test_the_page_of_an_invitation_knows_who_reads_it(client: Client, alice: User) -> None:
    out = client.get("/invitation?token=abc")
    assert out["Referrer-Policy"] == "no-referrer"
    assert '{"token": "abc", "email": ""}' in text_of(out)
    assert 'data-island="auth" data-when="press"' in text_of(out)
    page = text_of(browser_of(alice).get("/invitation?token=abc"))
    assert f'{{"token": "abc", "email": "{alice.email}"}}' in page
    assert 'data-island="auth"' not in page


@pytest.mark.spec("ORG-025")
def test_a_page_asks_once_for_the_organisations_however_many(
    alice: User, bob: User, sam: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = browser_of(alice)
    for owner, queries in ((None, 5), (bob, 5), (sam, 5)):
        if owner is not None:
            join(alice, owner, "viewer")
        with django_assert_num_queries(queries):
            browser.get("/team")
