#!/usr/bin/env bash
# Every check, in two lanes on two cores; prints the output of each lane when it ends, and which step failed.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

step() { # lane, name, command…
  local lane=$1 name=$2 start=$SECONDS
  shift 2
  if "$@" >>"$logs/$lane" 2>&1; then
    echo "ok      $name ($((SECONDS - start)) s)"
  else
    echo "FAILED  $name ($((SECONDS - start)) s)"
    echo "$name" >>"$logs/failed"
  fi
}

same_api() {
  local fresh
  fresh=$(mktemp) && .venv/bin/python manage.py spectacular --file "$fresh" --validate --fail-on-warn &&
    diff -u openapi.yaml "$fresh" && rm -f "$fresh"
}

static_lane() {
  step static "ruff" .venv/bin/ruff check .
  step static "ruff format" .venv/bin/ruff format --check .
  step static "import borders" .venv/bin/lint-imports --no-cache
  step static "mypy" .venv/bin/mypy .
  step static "tsc" npm --prefix frontend run --silent typecheck
  step static "eslint, prettier" npm --prefix frontend run --silent lint
  step static "django check" .venv/bin/python manage.py check --fail-level WARNING
  step static "openapi.yaml is the code's" same_api
  step static "vitest" npm --prefix frontend run --silent test
}

test_lane() {
  step tests "pytest" .venv/bin/pytest -q -n 2 --dist loadgroup
  step tests "pytest on PostgreSQL" tests/with_postgres.sh .venv/bin/pytest -q -n 2 --dist loadgroup \
    accounts billing crm quotes validation/tests tests/test_idempotency.py tests/test_migrations.py \
    tests/test_bad_input.py tests/test_permissions.py tests/test_logs.py tests/test_groups.py
  step tests "browser" tests/e2e/run.sh
}

static_lane &
test_lane &
wait

for lane in static tests; do
  echo "--- $lane"
  cat "$logs/$lane"
done
if [ -s "$logs/failed" ]; then
  echo "failed: $(paste -sd, "$logs/failed")"
  exit 1
fi
grep -E '^[0-9]+ passed|^=+ .*passed' "$logs/tests" | tail -n 1
