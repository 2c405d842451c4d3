import json
import sys
import time

import requests

API = "{{ site_url }}/api/v1"
AUTH = {"Authorization": "Bearer {{ key }}"}


def call(method, path, **options):
    """After 429 and 503 wait as Retry-After says; stop at any other refusal."""
    for attempt in range(5):
        answer = requests.request(method, API + path, timeout=120, **{"headers": AUTH, **options})
        if answer.status_code not in (429, 503) or attempt == 4:
            break
        time.sleep(int(answer.headers.get("Retry-After", 2**attempt)))
    if not answer.ok:
        sys.exit(answer.text)  # with message and request_id
    return answer


emails = ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]
sent = call("POST", "/validate/bulk", json={"emails": emails}).json()

batch, status = f"/validate/batch/{sent['batch_id']}", sent["status"]
while status in ("queued", "processing"):
    time.sleep(2)
    status = call("GET", f"{batch}/status").json()["status"]
if status != "completed":
    why = {"paused": "it goes on when its cause is gone", "cancelled": "somebody stopped it"}
    sys.exit(f"{sent['batch_id']} is {status}: {why.get(status, 'send it again')}")

ndjson = AUTH | {"Accept": "application/x-ndjson"}
with call("GET", f"{batch}/results", headers=ndjson, stream=True) as answer:
    for line in answer.iter_lines():
        row = json.loads(line)
        print(row["row"], row["email"], row["category"])
