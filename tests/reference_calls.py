"""The calls of the API reference, made in test mode: what its examples show must be what is answered.

`WRITE_EXAMPLES=1 .venv/bin/pytest -n0 tests/test_reference.py` writes the examples anew after a change of the API.
"""

import json
import os
import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from emailcheck.common.testing import drain_queue
from emailcheck.contract.description import EXAMPLES
from emailcheck.sandbox.receiver.host_names import HOST

V1 = "/api/v1"
DOMAIN = "test.emailcheck.app"
NAMES = [f"{name}@{DOMAIN}" for name in ("valid", "unknown")]
FILE = "\n".join(["name,email", f"Anna,valid@{DOMAIN}", f"Ben,disposable@{DOMAIN}"]).encode()
_TIME = re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$")
_VARY = frozenset({
    "id", "result_id", "time_ms", "expires_at", "rate", "prefix", "next_cursor", "batches_next", "individual_next",
})  # fmt: skip
_IDS = ("bat_", "org_", "req_", "res_", "upl_", "whk_", "whsec_")
ENDPOINT = {"url": f"https://{HOST}/reference", "events": ["batch.completed", "validation.completed"]}
Examples = dict[str, dict[str, Any]]


def made(api: APIClient) -> Examples:
    """Each call that takes a key with its answer, in an order in which every one succeeds."""
    overview = get(api, "/analytics/dashboard")
    single = {"email": NAMES[0]}
    one = post(api, "/validate/single", single)
    listed = post(api, "/validate/bulk", {"emails": NAMES[:1]})
    several = post(api, "/validate/bulk", {"emails": NAMES})
    file = {"file": SimpleUploadedFile("customers.csv", f"email\nslow@{DOMAIN}".encode(), "text/csv")}
    upload = api.post(f"{V1}/validate/upload", file, format="multipart").json()
    slow = post(api, "/validate/bulk", {"emails": [f"slow@{DOMAIN}"]})
    of_list = {"batch_id": several["batch_id"]}
    batch, result = f"/validate/batch/{several['batch_id']}", f"/validate/result/{one['id']}"
    examples: Examples = {
        "validate_single": {"body": single, "answer": one},
        "validate_bulk": {"body": {"emails": NAMES[:1]}, "answer": listed},
        "validate_upload": {"form": {"file": "@customers.csv"}, "status": 202, "answer": upload},
        "validate_batch_status": {"path": of_list, "answer": get(api, f"{batch}/status")},
        "validate_batch_detail": {
            "path": {"batch_id": slow["batch_id"]},
            "query": {"limit": 10},
            "answer": get(api, f"/validate/batch/{slow['batch_id']}?limit=10"),
        },
        "validate_batch_results": {
            "path": of_list,
            "query": {"category": "valid"},
            "answer": get(api, f"{batch}/results?category=valid"),
        },
        "validate_batch_export": {
            "path": of_list,
            "query": {"format": "csv", "segment": "safe"},
            "save": "safe.csv",
            "answer": api.get(f"{V1}{batch}/export?format=csv&segment=safe").getvalue().decode().lstrip("\ufeff"),
        },
        "validate_batch_reach": {"path": of_list, "answer": get(api, f"{batch}/reach")},
        "validate_batch_report": {"path": of_list, "save": "report.pdf"},
        "validate_batches": {
            "query": {"active": "true", "limit": 1},
            "answer": get(api, "/validate/batches?active=true&limit=1"),
        },
        "validate_result": {"path": {"result_id": one["id"]}, "answer": get(api, result)},
        "analytics_dashboard": {"answer": overview},
    }
    cancelled = post(api, f"/validate/batch/{slow['batch_id']}/cancel")
    examples["validate_batch_cancel"] = {"path": {"batch_id": slow["batch_id"]}, "answer": cancelled}
    examples["validate_batch_recheck"] = {"path": of_list, "answer": post(api, f"{batch}/recheck")}
    drain_queue()
    examples |= made_of_what_is_left(api, batch, of_list)
    examples["validate_batch_delete"] = {"path": of_list, "answer": api.delete(V1 + batch).json()}
    examples["validate_result_delete"] = {"path": {"result_id": one["id"]}, "answer": api.delete(V1 + result).json()}
    return examples | made_of_uploads(api) | made_of_endpoints(api) | made_of_the_account(api)


def made_of_what_is_left(api: APIClient, batch: str, of_list: dict[str, Any]) -> Examples:
    """Calls that check what a list left open. Test mode makes every check and takes no credits: nothing is left."""
    rest = {"max_credits": 10}
    return {
        "validate_batch_check_in_full": {"path": of_list, "refusal": refused(api, f"{batch}/check-in-full", {})},
        "validate_batch_check_rest": {"path": of_list, "body": rest, "refusal": refused(api, f"{batch}/rest", rest)},
    }


def made_of_the_account(api: APIClient) -> Examples:
    """Calls about the account, and those that are open to everybody."""
    leaks = [{"token": "ec_live_Yg0dwpY1", "url": "https://example.com/config.py", "type": "emailcheck_key"}]
    return {
        "credits_get": {"answer": get(api, "/credits")},
        "auth_me": {"answer": get(api, "/auth/me")},
        "status": {"answer": get(api, "/status")},
        "reasons_list": {"query": {"category": "spam_trap"}, "answer": get(api, "/reasons?category=spam_trap")},
        "keys_leaked": {"body": leaks, "answer": post(api, "/keys/leaked", leaks)},
    }


def made_of_uploads(api: APIClient) -> Examples:
    """Each call about a file before its start with its answer."""
    review, other = inspect(api), inspect(api)
    of_upload, draft = {"upload_id": review["upload_id"]}, f"/validate/upload/{review['upload_id']}"
    choices = {"repair": True, "use_suggestions": True}
    discarded = api.delete(f"{V1}/validate/upload/{other['upload_id']}").json()
    return {
        "validate_upload_inspect": {
            "form": {"file": "@customers.csv", "repair": "true", "use_suggestions": "true"},
            "answer": review,
        },
        "validate_upload_get": {"path": of_upload, "answer": get(api, draft)},
        "validate_upload_repairs": {"path": of_upload, "answer": get(api, f"{draft}/repairs")},
        "validate_upload_sample_get": {"path": of_upload, "answer": get(api, f"{draft}/sample")},
        # The file is too short for a sample.
        "validate_upload_sample": {"path": of_upload, "refusal": refused(api, f"{draft}/sample", {})},
        "validate_upload_review": {
            "path": of_upload,
            "body": choices,
            "answer": api.put(V1 + draft, choices, format="json").json(),
        },
        "validate_upload_start": {"path": of_upload, "answer": post(api, f"{draft}/start")},
        "validate_upload_discard": {"path": {"upload_id": other["upload_id"]}, "answer": discarded},
    }


def made_of_endpoints(api: APIClient) -> Examples:
    """Each call about webhook endpoints with its answer."""
    made = api.post(f"{V1}/webhooks", ENDPOINT, format="json").json()
    of_endpoint, one = {"webhook_id": made["id"]}, f"{V1}/webhooks/{made['id']}"
    change, event = {"events": ["batch.completed"]}, {"event": "batch.completed"}
    return {
        "webhooks_create": {"body": ENDPOINT, "answer": made},
        "webhooks_list": {"answer": get(api, "/webhooks")},
        "webhooks_update": {
            "path": of_endpoint,
            "body": change,
            "answer": api.patch(one, change, format="json").json(),
        },
        "webhooks_test": {
            "path": of_endpoint,
            "body": event,
            "answer": api.post(f"{one}/test", event, format="json").json(),
        },
        "webhooks_delete": {"path": of_endpoint, "answer": api.delete(one).json()},
    }


def inspect(api: APIClient) -> Any:
    form = {"file": SimpleUploadedFile("customers.csv", FILE, "text/csv"), "repair": "true", "use_suggestions": "true"}
    return api.post(f"{V1}/validate/upload/inspect", form, format="multipart").json()


def refused(api: APIClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """How a call is refused that cannot succeed in test mode."""
    answer = api.post(V1 + path, body, format="json")
    assert 400 <= answer.status_code < 500, answer.content
    return {"status": answer.status_code, "answer": answer.json()}


def shown(found: Examples) -> Examples:
    """The examples of the reference."""
    if os.environ.get("WRITE_EXAMPLES"):
        EXAMPLES.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    examples: Examples = json.loads(EXAMPLES.read_text())
    return examples


def comparable(value: Any, name: str = "") -> Any:
    """An answer without what differs from call to call: ids, times, durations."""
    if isinstance(value, dict):
        return {key: comparable(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [comparable(inner, name) for inner in value]
    if value is not None and name in _VARY:
        return name
    return _stable(value) if isinstance(value, str) else value


def _stable(text: str) -> str:
    if _TIME.match(text) or text.startswith(_IDS):
        return text[:4] if text.startswith(_IDS) else "time"
    return re.sub(r"\d{4}-\d\d-\d\d[ T][\d:.+Z]+", "time", text)


def get(api: APIClient, path: str) -> Any:
    answer = api.get(V1 + path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def post(api: APIClient, path: str, body: Any = None) -> Any:
    answer = api.post(V1 + path, body, format="json")
    assert answer.status_code in {200, 202}, answer.content
    return answer.json()
