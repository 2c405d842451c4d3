"""The official SDKs of the three services take the played ones for the real thing."""

import io
from datetime import date
from pathlib import Path
from typing import Any

import neverbounce_sdk
import pytest
import zerobouncesdk
from kickbox import Client as KickboxClient
from kickbox.error import ClientError
from neverbounce_sdk import utils as neverbounce_utils
from zerobouncesdk import ZBApiException, ZBValidateBatchElement, ZBValidateStatus, ZBValidateSubStatus, ZeroBounce

from emailcheck.sandbox.providers import kickbox, neverbounce, zerobounce
from emailcheck.sandbox.providers.tests.conftest import Place
from emailcheck.sandbox.providers.zerobounce_shapes import TRIGGERS


@pytest.fixture
def zb(place: Place, monkeypatch: pytest.MonkeyPatch) -> ZeroBounce:
    monkeypatch.setattr(ZeroBounce, "BULK_BASE_URL", f"{place.base}/zerobounce/v2")
    return ZeroBounce(zerobounce.KEY, f"{place.base}/zerobounce/v2")


@pytest.fixture
def nb(place: Place, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(neverbounce_utils, "API_ROOT", f"{place.base}/neverbounce")
    return neverbounce_sdk.client(api_key=neverbounce.KEY)


def kb(place: Place, key: str = kickbox.KEY) -> Any:
    """Its version is put before every path, so the place stands there too."""
    return KickboxClient(key, {"base": place.site, "api_version": "sandbox/providers/kickbox/v2"}).kickbox()


def test_zerobounce_validates(zb: ZeroBounce) -> None:
    told = zb.validate("anna@lanternoak.org")
    assert (told.status, told.sub_status, told.mx_found) == (ZBValidateStatus.valid, ZBValidateSubStatus.none, "true")
    assert zb.get_credits().credits == 9_999
    assert zb.get_activity("anna@lanternoak.org").found is True
    assert zb.get_api_usage(date(2026, 1, 1), date(2026, 12, 31)).status_valid >= 1


def test_zerobounce_knows_every_word_that_is_answered(zb: ZeroBounce) -> None:
    """A word that the SDK does not know is warned of; it is older than one of them."""
    for name, (status, sub_status) in TRIGGERS.items():
        if name == "aiagentmailbox":
            with pytest.warns(UserWarning, match="ai_agent_mailbox"):
                assert zb.validate(f"{name}@example.com").sub_status is None
        else:
            told = zb.validate(f"{name}@example.com")
            assert (told.status.value, told.sub_status.value) == (status, sub_status)


def test_zerobounce_validates_several(zb: ZeroBounce) -> None:
    told = zb.validate_batch([ZBValidateBatchElement("anna@lanternoak.org"), ZBValidateBatchElement("x", "1.2.3.4")])
    assert [found.sub_status for found in told.email_batch] == [
        ZBValidateSubStatus.none,
        ZBValidateSubStatus.failed_syntax_check,
    ]
    assert told.errors == []


def test_zerobounce_takes_a_file(zb: ZeroBounce, tmp_path: Path) -> None:
    sent = tmp_path / "list.csv"
    sent.write_text('Name,Mail\n"Keller, Anna",anna@lanternoak.org\nGone,gone@lanternoak.org\n')
    accepted = zb.send_file(str(sent), 2, has_header_row=True)
    assert (accepted.success, accepted.file_name) == (True, "list.csv")
    with pytest.raises(ZBApiException, match="not ready"):
        zb.get_file(accepted.file_id, str(tmp_path / "out.csv"))
    states = [zb.file_status(accepted.file_id).file_status for _ in range(2)]
    assert states == ["Processing", "Complete"]
    zb.get_file(accepted.file_id, str(tmp_path / "out.csv"))
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0].startswith('"Name","Mail","ZB Status","ZB Sub Status"')
    assert lines[1].startswith('"Keller, Anna","anna@lanternoak.org","valid",""')
    assert lines[2].startswith('"Gone","gone@lanternoak.org","invalid","mailbox_not_found"')
    assert zb.delete_file(accepted.file_id).success is True
    assert zb.delete_file(accepted.file_id).success is False


def test_zerobounce_knows_its_keys(place: Place) -> None:
    stranger = zerobouncesdk.ZeroBounce("wrong", f"{place.base}/zerobounce/v2")
    assert stranger.get_credits().credits == -1
    with pytest.raises(ZBApiException, match="Invalid API key"):
        stranger.validate("anna@lanternoak.org")


def test_neverbounce_checks(nb: Any) -> None:
    told = nb.single_check("anna+x@lanternoak.org", address_info=True, credits_info=True)
    assert (told["result"], told["address_info"]["alias"]) == ("valid", "x")
    assert told["credits_info"]["paid_credits_remaining"] == 9_999
    assert nb.account_info()["job_counts"]["completed"] == 0


def test_neverbounce_runs_a_job(nb: Any) -> None:
    rows = [{"email": f"{name}@lanternoak.org", "id": number} for number, name in enumerate(("anna", "gone", "ben"))]
    job = nb.jobs_create(rows, filename="list.csv")["job_id"]
    with pytest.raises(neverbounce_sdk.GeneralException, match="not in a state"):
        nb.jobs_start(job)
    nb.jobs_parse(job)
    with pytest.raises(neverbounce_sdk.GeneralException, match="not in a state"):
        nb.jobs_start(job)
    assert nb.jobs_status(job)["job_status"] == "parsing"
    assert nb.jobs_status(job)["job_status"] == "waiting"
    nb.jobs_start(job)
    assert nb.account_info()["credits_info"]["paid_credits_remaining"] == 9_997
    states = [nb.jobs_status(job)["job_status"] for _ in range(3)]
    assert states == ["queued", "running", "complete"]
    found = {line["data"]["id"]: line["verification"]["result"] for line in nb.jobs_results(job, items_per_page=2)}
    assert found == {"0": "valid", "1": "invalid", "2": "valid"}
    assert [found["job_status"] for found in nb.jobs_search(filename="list.csv")] == ["complete"]
    file = io.BytesIO()
    nb.jobs_download(job, file, segmentation=("valids",), appends=("email_status",))
    assert file.getvalue().decode().splitlines()[1:] == ["anna@lanternoak.org,0,valid", "ben@lanternoak.org,2,valid"]
    nb.jobs_delete(job)
    with pytest.raises(neverbounce_sdk.GeneralException):
        nb.jobs_status(job)


@pytest.mark.parametrize("key", [neverbounce.PUBLIC_KEY, "secret_wrong"])
def test_neverbounce_knows_its_keys(key: str, nb: Any) -> None:
    nb.api_key = key
    with pytest.raises(neverbounce_sdk.AuthFailure):
        nb.single_check("anna@lanternoak.org")


def test_neverbounce_throttles(nb: Any, place: Place) -> None:
    place.trouble("neverbounce", "rate_limited")
    with pytest.raises(neverbounce_sdk.ThrottleTriggered):
        nb.account_info()


def test_kickbox_verifies(place: Place) -> None:
    told = kb(place).verify("anna@lanternoak.org")
    assert (told.code, told.body["result"], told.body["reason"]) == (200, "deliverable", "accepted_email")
    assert told.headers["X-Kickbox-Balance"] == "9999"


def test_kickbox_refuses(place: Place) -> None:
    assert _refusal(kb(place, "live_wrong"), "anna@lanternoak.org") == (403, "Invalid API key")
    told = _refusal(kb(place, kickbox.TEST_KEY), "insufficient-balance@alder.com")
    assert told == (403, "Insufficient balance")
    assert place.world.accounts["kickbox"].credits == 10_000
    place.trouble("kickbox", "rate_limited")
    assert _refusal(kb(place), "anna@lanternoak.org") == (429, "Rate limit exceeded")


def _refusal(client: Any, address: str) -> tuple[int, str]:
    with pytest.raises(ClientError) as raised:
        client.verify(address)
    return raised.value.code, raised.value.message
