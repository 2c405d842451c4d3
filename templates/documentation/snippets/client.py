import time
import uuid

import requests

API = "{{ site_url }}/api/v1"
KEY = "{{ key }}"


class EmailCheckError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body['code']}: {body['message']} ({body['request_id']})")
        self.status, self.code = status, body["code"]


def call(method, path, **options):
    headers = {"Authorization": f"Bearer {KEY}"}
    if method == "POST":
        headers["Idempotency-Key"] = str(uuid.uuid4())  # the same for every try
    for attempt in range(5):
        answer = requests.request(method, API + path, headers=headers, timeout=60, **options)
        if answer.status_code not in (429, 503) or attempt == 4:
            break
        time.sleep(int(answer.headers.get("Retry-After", 2**attempt)))
    if not answer.ok:
        raise EmailCheckError(answer.status_code, answer.json())
    return answer.json()


print(call("POST", "/validate/single", json={"email": "role@test.emailcheck.app"})["flags"])
try:
    call("POST", "/validate/single", json={"email": "out_of_credits@test.emailcheck.app"})
except EmailCheckError as error:
    print(error.code)
