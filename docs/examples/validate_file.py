"""Validates a file against `make run` and hears of its end by a signed webhook, with the standard library alone.

python3 docs/examples/validate_file.py [FILE] [ADDRESS]        the results come to validated.csv
"""

import base64
import hashlib
import hmac
import json
import sys
import time
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "samples/customers-200.csv")
SITE = sys.argv[2] if len(sys.argv) > 2 else "http://127.0.0.1:8000"
ALICE = {"email": "alice@alder-and-ash.com", "password": "sandbox-2026"}
BOX = f"example-{uuid.uuid4().hex[:8]}"


def call(method: str, path: str, credential: str = "", body: bytes = b"", content_type: str = "") -> bytes:
    """The body of an answer. Raises `HTTPError` for a refusal."""
    headers = {"Accept": "application/json"}
    if credential:
        headers["Authorization"] = f"Bearer {credential}"
    if content_type:
        headers["Content-Type"] = content_type
    with urlopen(Request(SITE + path, body or None, headers, method=method)) as answer:
        content: bytes = answer.read()
        return content


def post(path: str, fields: dict[str, Any], credential: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(call("POST", path, credential, json.dumps(fields).encode(), "application/json"))
    return answer


def upload(file: Path, key: str) -> dict[str, Any]:
    mark = uuid.uuid4().hex
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{file.name}"\r\n\r\n'
    form = head.encode() + file.read_bytes() + f"\r\n--{mark}--\r\n".encode()
    content_type = f"multipart/form-data; boundary={mark}"
    answer: dict[str, Any] = json.loads(call("POST", "/api/v1/validate/upload", key, form, content_type))
    return answer


def is_ours(secret: str, headers: dict[str, str], body: str) -> bool:
    """Whether a message is signed with the secret, and fresh (Standard Webhooks 1.0)."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    right = "v1," + base64.b64encode(digest).decode()
    fresh = abs(time.time() - int(headers["webhook-timestamp"])) < 300
    return fresh and any(hmac.compare_digest(right, one) for one in headers["webhook-signature"].split())


def message(secret: str) -> dict[str, Any]:
    """The first message that came to our box and is signed as it should be."""
    while True:
        for delivery in json.loads(call("GET", f"/sandbox/inbox?box={BOX}")):
            if is_ours(secret, delivery["headers"], delivery["body"]):
                news: dict[str, Any] = json.loads(delivery["body"])
                return news
        time.sleep(1)


token = post("/api/auth/login", ALICE)["token"]
ends = (datetime.now(UTC) + timedelta(days=1)).isoformat()
key = post("/api/user/api-keys", {"name": "Example", "expires_at": ends}, token)["key"]
hook = post("/api/user/webhooks", {"url": f"https://inbox.hookbarn.com/{BOX}", "events": ["batch.completed"]}, token)
try:
    batch = upload(FILE, key)["batch_id"]
    data = message(hook["secret"])["data"]
finally:
    call("DELETE", f"/api/user/webhooks/{hook['id']}", token)
Path("validated.csv").write_bytes(call("GET", f"/api/v1/validate/batch/{batch}/export", key))
print(data["batch_id"] == batch, data["results"])
