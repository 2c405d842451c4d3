import json

import requests

API = "{{ site_url }}/api/v1"
AUTH = {"Authorization": "Bearer {{ key }}"}

emails = ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]
sent = requests.post(f"{API}/validate/bulk", headers=AUTH, json={"emails": emails}, timeout=60)
sent.raise_for_status()

with requests.get(
    f"{API}/validate/batch/{sent.json()['batch_id']}/results",
    headers=AUTH | {"Accept": "application/x-ndjson"},
    stream=True,
    timeout=60,
) as answer:
    answer.raise_for_status()
    for line in answer.iter_lines():
        row = json.loads(line)
        print(row["row"], row["email"], row["category"])
