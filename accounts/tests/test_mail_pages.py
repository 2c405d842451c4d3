"""Staff look at every mail."""

import pytest
from django.test import Client

from accounts.users.models import User
from conftest import browser_of
from emailcheck.common.outbound import mail

NAMES = [kind.name for kind in mail.list_kinds()]


@pytest.mark.spec("SET-056")
def test_staff_see_every_mail_as_it_goes_out(sam: User, alice: User) -> None:
    page = "/django-admin/mails/"
    assert Client().get(page).status_code == 302
    client = browser_of(alice)
    assert client.get(page).status_code == 302
    client = browser_of(sam)
    assert f'href="{page}"' in client.get("/django-admin/").content.decode()
    assert all(name in client.get(page).content.decode() for name in NAMES)
    for name in NAMES:
        assert client.get(f"{page}{name}/").status_code == 200
        html = client.get(f"{page}{name}/html")
        assert html.status_code == 200
        assert html["Content-Security-Policy"].startswith("sandbox; default-src 'none';")
        assert html["X-Frame-Options"] == "SAMEORIGIN"
    assert client.get(f"{page}nonsense/").status_code == 404
