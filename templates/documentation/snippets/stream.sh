# After 429 and 503 it waits as Retry-After says; any other refusal ends with its message and request_id.
call() {
  file=$(mktemp)
  for try in 1 2 3 4 5; do
    status=$(curl -sS "{{ site_url }}/api/v1$1" -H "Authorization: Bearer {{ key }}" "${@:2}" \
      -o "$file" -w '%{http_code} %header{retry-after}') || break
    case $status in
      2*) cat "$file"; return ;;
      429*|503*) wait=${status#* }; [ "$try" = 5 ] || sleep "${wait:-2}" ;;
      *) break ;;
    esac
  done
  cat "$file" >&2
  return 1
}

field() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

SENT=$(call /validate/bulk -H "Content-Type: application/json" \
  -d '{"emails": ["valid@test.emailcheck.app", "catch_all@test.emailcheck.app"]}') || exit 1
BATCH=$(echo "$SENT" | field batch_id)
STATUS=$(echo "$SENT" | field status)

while [ "$STATUS" = queued ] || [ "$STATUS" = processing ]; do
  sleep 2
  SENT=$(call "/validate/batch/$BATCH/status") || exit 1
  STATUS=$(echo "$SENT" | field status)
done
case $STATUS in
  completed) ;;
  paused) echo "$BATCH is paused: it goes on when its cause is gone." >&2; exit 1 ;;
  cancelled) echo "$BATCH is cancelled: somebody stopped it." >&2; exit 1 ;;
  *) echo "$BATCH is $STATUS: send it again." >&2; exit 1 ;;
esac

call "/validate/batch/$BATCH/results" -H "Accept: application/x-ndjson"
