import time

import requests

API = "{{ site_url }}/api/v1"
AUTH = {"Authorization": "Bearer {{ key }}"}

with open("addresses.csv", "rb") as file:
    sent = requests.post(f"{API}/validate/upload", headers=AUTH, files={"file": file}, timeout=120)
sent.raise_for_status()
batch = f"{API}/validate/batch/{sent.json()['batch_id']}"

while True:
    status = requests.get(f"{batch}/status", headers=AUTH, timeout=30).json()["status"]
    if status not in ("queued", "processing"):
        break
    time.sleep(2)

safe = requests.get(f"{batch}/export", headers=AUTH, params={"segment": "safe"}, timeout=120)
safe.raise_for_status()
with open("safe.csv", "wb") as file:
    file.write(safe.content)
print(status)
