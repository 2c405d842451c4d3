API={{ site_url }}/api/v1
AUTH="Authorization: Bearer {{ key }}"

BATCH=$(curl -sS --fail-with-body "$API/validate/upload" -H "$AUTH" -F file=@addresses.csv \
  | grep -o 'bat_[A-Za-z0-9]*' | head -n 1)

while curl -sS "$API/validate/batch/$BATCH/status" -H "$AUTH" \
  | grep -qE '"status": ?"(queued|processing)"'; do
  sleep 2
done

curl -sS --fail-with-body "$API/validate/batch/$BATCH/export?segment=safe" -H "$AUTH" -o safe.csv
