"""The played services answer with the members that the real ones document, no more and no fewer."""

import csv
import io
import json
from typing import Any

import httpx2
import pytest

from emailcheck.sandbox.providers import kickbox, neverbounce, zerobounce
from emailcheck.sandbox.providers.tests.conftest import Place

ZB_VALIDATE = (
    "address status sub_status free_email did_you_mean account domain domain_age_days smtp_provider mx_found mx_record "
    "catchall_domain firstname lastname gender country region city zipcode processed_at"
)
ZB_STATUS = (
    "success file_id file_name upload_date file_status file_phase_2_status complete_percentage error_reason return_url"
)
ZB_COLUMNS = [
    *("Email Address", "ZB Status", "ZB Sub Status", "ZB Account", "ZB Domain", "ZB First Name", "ZB Last Name"),
    *("ZB Gender", "ZB Free Email", "ZB MX Found", "ZB MX Record", "ZB SMTP Provider", "ZB Did You Mean"),
]
NB_CHECK = "status result flags suggested_correction address_info credits_info execution_time"
NB_ADDRESS = "original_email normalized_email addr alias host fqdn domain subdomain tld"
NB_CREDITS = "paid_credits_used free_credits_used paid_credits_remaining free_credits_remaining"
NB_STATUS = (
    "status id filename created_at started_at finished_at failure_reason total bounce_estimate percent_complete "
    "job_status execution_time"
)
NB_TOTAL = "records billable processed valid invalid catchall disposable unknown duplicates bad_syntax"
NB_PAGE = "status total_results total_pages query results execution_time"
KB_VERIFY = "result reason role free disposable accept_all did_you_mean sendex email user domain success message"
KB_COMPLETED = "id name download_url created_at status stats error duration success message"
KB_STATS = "deliverable undeliverable risky unknown sendex addresses"
KB_PROGRESS = "deliverable undeliverable risky unknown total unprocessed"


class Caller:
    """Calls the services as a program would that was written from their documents."""

    def __init__(self, client: httpx2.Client) -> None:
        self._client = client

    def zb(self, call: str, **asked: str) -> httpx2.Response:
        return self._client.get(f"/zerobounce/v2/{call}", params={"api_key": zerobounce.KEY, **asked})

    def nb(self, call: str, **asked: Any) -> Any:
        return self._client.post(f"/neverbounce/v4.2/{call}", json={"key": neverbounce.KEY, **asked}).json()

    def kb(self, call: str, method: str = "GET", **more: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {kickbox.KEY}", **more.pop("headers", {})}
        return self._client.request(method, f"/kickbox/v2/{call}", headers=headers, **more)


@pytest.fixture
def caller(place: Place) -> Any:
    with httpx2.Client(base_url=place.base, trust_env=False) as client:
        yield Caller(client)


def test_zerobounce_single(caller: Caller) -> None:
    told = caller.zb("validate", email="anna@lanternoak.org", ip_address="").json()
    assert set(told) == set(ZB_VALIDATE.split())
    assert [type(told[name]) for name in ("free_email", "mx_found", "domain_age_days")] == [bool, str, str]
    assert caller.zb("getcredits").json() == {"Credits": 9_999}
    assert caller.zb("getcredits", api_key="wrong").json() == {"Credits": -1}
    wrong = caller.zb("validate", api_key="wrong", email="anna@lanternoak.org")
    assert (wrong.status_code, set(wrong.json())) == (200, {"error"})


def test_zerobounce_takes_no_number_as_a_timeout(place: Place) -> None:
    batch = [{"email_address": "anna@lanternoak.org", "ip_address": None}]
    asked = {"api_key": zerobounce.KEY, "email_batch": batch}
    url = f"{place.base}/zerobounce/v2/validatebatch"
    right = httpx2.post(url, json={**asked, "timeout": "30"}, trust_env=False).json()
    assert (len(right["email_batch"]), right["errors"]) == (1, [])
    wrong = httpx2.post(url, json={**asked, "timeout": 30}, trust_env=False).json()
    assert (wrong["email_batch"], wrong["errors"][0]["email_address"]) == ([], "all")
    assert place.world.accounts["zerobounce"].credits == 9_999


@pytest.mark.finding("G5")
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/plain; charset=utf-8", ""])
def test_zerobounce_reads_a_batch_under_each_type_that_senders_give(place: Place, kind: str) -> None:
    asked = {"api_key": zerobounce.KEY, "email_batch": [{"email_address": "anna@lanternoak.org"}], "timeout": "30"}
    headers = {"Content-Type": kind} if kind else {}
    url = f"{place.base}/zerobounce/v2/validatebatch"
    told = httpx2.post(url, content=json.dumps(asked).encode(), headers=headers, trust_env=False).json()
    assert ([one["address"] for one in told["email_batch"]], told["errors"]) == (["anna@lanternoak.org"], [])


@pytest.mark.finding("G5")
def test_zerobounce_keeps_the_order_of_a_file_without_its_duplicates(caller: Caller, place: Place) -> None:
    listed = ["anna@lanternoak.org", "bob@lanternoak.org", "ANNA@lanternoak.org", "carl@lanternoak.org"]
    form = {"api_key": zerobounce.KEY, "email_address_column": "1", "remove_duplicate": "true"}
    file = {"file": ("list.csv", "\n".join(listed).encode(), "text/csv")}
    sent = httpx2.post(f"{place.base}/zerobounce/v2/sendfile", data=form, files=file, trust_env=False).json()
    while caller.zb("filestatus", file_id=sent["file_id"]).json()["file_status"] != "Complete":
        pass
    table = csv.reader(io.StringIO(caller.zb("getfile", file_id=sent["file_id"]).text))
    assert [row[0] for row in table][1:] == [listed[0], listed[1], listed[3]]


def test_zerobounce_bulk(caller: Caller, place: Place) -> None:
    url, form = f"{place.base}/zerobounce/v2/sendfile", {"api_key": zerobounce.KEY, "email_address_column": "1"}
    file = {"file": ("list.csv", b"anna@lanternoak.org\nanna@lanternoak.org\nanna@lanternoak.org\n", "text/csv")}
    repeated = httpx2.post(url, data=form, files=file, trust_env=False)
    assert (repeated.status_code, repeated.json()["success"]) == (400, False)
    sent = httpx2.post(url, data={**form, "remove_duplicate": "false"}, files=file, trust_env=False).json()
    assert set(sent) == {"success", "message", "file_name", "file_id"}
    early = caller.zb("getfile", file_id=sent["file_id"])
    assert (early.status_code, early.json()["success"]) == (200, "False")
    assert set(caller.zb("filestatus", file_id=sent["file_id"]).json()) == set(ZB_STATUS.split())
    last = caller.zb("filestatus", file_id=sent["file_id"]).json()
    assert (last["file_status"], last["complete_percentage"]) == ("Complete", "100% Complete.")
    table = list(csv.reader(io.StringIO(caller.zb("getfile", file_id=sent["file_id"]).text)))
    assert table[0] == ZB_COLUMNS
    assert len(table) == 4


def test_neverbounce_single(caller: Caller) -> None:
    told = caller.nb("single/check", email="anna@lanternoak.org", address_info=1, credits_info=1)
    assert set(told) == set(NB_CHECK.split())
    assert set(told["address_info"]) == set(NB_ADDRESS.split())
    assert set(told["credits_info"]) == set(NB_CREDITS.split())
    account = caller.nb("account/info")
    assert set(account["job_counts"]) == {"completed", "under_review", "queued", "processing"}
    assert set(caller.nb("single/check")) == {"status", "message", "execution_time"}


def test_neverbounce_bulk(caller: Caller) -> None:
    asked = {"input_location": "supplied", "input": [["anna@lanternoak.org", "1"]], "auto_parse": 1, "auto_start": 1}
    job = caller.nb("jobs/create", **asked)["job_id"]
    told = [caller.nb("jobs/status", job_id=job) for _ in range(3)][-1]
    assert set(told) == set(NB_STATUS.split())
    assert set(told["total"]) == set(NB_TOTAL.split())
    page = caller.nb("jobs/results", job_id=job)
    assert set(page) == set(NB_PAGE.split())
    assert set(page["query"]) == {"job_id", "valids", "invalids", "catchalls", "unknowns", "page", "items_per_page"} | {
        "disposables"
    }
    assert set(page["results"][0]["verification"]) == {"result", "flags", "suggested_correction", "address_info"}


def test_kickbox_single(caller: Caller) -> None:
    answer = caller.kb("verify", params={"email": "anna@lanternoak.org"})
    assert set(answer.json()) == set(KB_VERIFY.split())
    assert {"x-kickbox-balance", "x-kickbox-response-time"} <= set(answer.headers)
    assert caller.kb("balance").json() == {"balance": 9_999, "success": True, "message": None}
    assert caller.kb("balance", params={"apikey": "wrong"}, headers={"Authorization": ""}).status_code == 403
    assert caller.kb("balance", params={"apikey": kickbox.KEY}, headers={"Authorization": ""}).status_code == 200


def test_kickbox_bulk(caller: Caller) -> None:
    assert caller.kb("verify-batch", "PUT", json=["anna@lanternoak.org"]).status_code == 415
    csv_type = {"Content-Type": "text/csv"}
    sent = caller.kb("verify-batch", "PUT", content=b"anna@lanternoak.org\n", headers=csv_type).json()
    assert sent == {"id": 1, "success": True, "message": None}
    told = [caller.kb("verify-batch/1").json() for _ in range(3)]
    assert set(told[0]) == {"id", "status", "success", "message"}
    assert (told[1]["status"], set(told[1]["progress"])) == ("processing", set(KB_PROGRESS.split()))
    assert set(told[2]) == set(KB_COMPLETED.split())
    assert set(told[2]["stats"]) == set(KB_STATS.split())
    assert caller.kb("verify-batch/2").status_code == 404
