import requests

answer = requests.post(
    "{{ site_url }}/api/v1/validate/single",
    headers={"Authorization": "Bearer {{ key }}"},
    json={"email": "valid@test.emailcheck.app"},
    timeout=60,
)
answer.raise_for_status()
verdict = answer.json()
print(verdict["category"], verdict["safe_to_send"])
