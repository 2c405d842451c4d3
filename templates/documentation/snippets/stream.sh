API={{ site_url }}/api/v1
AUTH="Authorization: Bearer {{ key }}"

BATCH=$(curl -sS --fail-with-body "$API/validate/bulk" -H "$AUTH" -H "Content-Type: application/json" \
  -d '{"emails": ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]}' \
  | grep -o 'bat_[A-Za-z0-9]*' | head -n 1)

curl -sS -N "$API/validate/batch/$BATCH/results" -H "$AUTH" -H "Accept: application/x-ndjson"
