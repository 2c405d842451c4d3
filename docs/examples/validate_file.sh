#!/bin/bash
# Validates a file against `make run` and hears of its end by a signed webhook, with curl alone:
#   bash docs/examples/validate_file.sh [FILE] [ADDRESS]        the results come to validated.csv
set -euo pipefail; FILE=${1:-samples/customers-200.csv} SITE=${2:-http://127.0.0.1:8000} BOX=example-$RANDOM$$
field() { grep -o "\"$1\": *\"\?[^\",}]*" | head -1 | sed 's/.*[ ":]//'; }
TOKEN=$(curl -fsS "$SITE/api/auth/login" --json '{"email": "alice@alder-and-ash.com", "password": "sandbox-2026"}' | field token)
KEY=$(curl -fsS "$SITE/api/user/api-keys" -H "Authorization: Bearer $TOKEN" --json "{\"name\": \"Example\", \"expires_at\": \"$(date -ud tomorrow +%FT%TZ)\"}" | field key)
HOOK=$(curl -fsS "$SITE/api/user/webhooks" -H "Authorization: Bearer $TOKEN" --json "{\"url\": \"https://inbox.hookbarn.com/$BOX\", \"events\": [\"batch.completed\"]}")
curl -fsS "$SITE/sandbox/inbox/box" -o /dev/null -d "box=$BOX" --data-urlencode "secret=$(field secret <<<"$HOOK")"
BATCH=$(curl -fsS "$SITE/api/v1/validate/upload" -H "Authorization: Bearer $KEY" -F "file=@$FILE" | field batch_id)
until curl -fsS "$SITE/sandbox/inbox?box=$BOX" -H "Accept: application/json" | grep -q '"signature": *"valid"'; do sleep 1; done
curl -fsS "$SITE/api/v1/validate/batch/$BATCH/export" -H "Authorization: Bearer $KEY" -o validated.csv
curl -fsS -X DELETE "$SITE/api/user/webhooks/$(field id <<<"$HOOK")" -H "Authorization: Bearer $TOKEN"
