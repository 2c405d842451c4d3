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

call /validate/single \
  -H "Content-Type: application/json" \
  -d '{"email": "valid@test.emailcheck.app"}'
