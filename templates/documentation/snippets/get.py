import requests

answer = requests.get(
    "{{ site_url }}/api/v1{{ path }}",
    headers={"Authorization": "Bearer {{ key }}"},
    timeout=60,
)
answer.raise_for_status()
print(answer.json())
