import requests

answer = requests.post(
    "{{ site_url }}/api/v1/validate/bulk",
    headers={"Authorization": "Bearer {{ key }}"},
    json={"emails": ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"]},
    timeout=60,
)
answer.raise_for_status()
for row in answer.json()["results"]:
    print(row["email"], row["category"])
