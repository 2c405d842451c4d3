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


emails = ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"]
found = call("POST", "/validate/bulk", json={"emails": emails}).json()
if found["status"] != "completed":
    sys.exit(f"{found['batch_id']} is {found['status']}: ask for its status, as a file is followed")
for row in found["results"]:
    print(row["email"], row["category"])
