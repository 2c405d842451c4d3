#!/usr/bin/env bash
# Every check; one line a step, and what a failed step printed last. Those that run real processes, and are asked for
# answers in time, have the machine to themselves.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

step() { # name, command…
  local name=$1 start=$SECONDS log
  log=$logs/${name//[^a-z]/-}
  shift
  if "$@" >"$log" 2>&1; then
    echo "ok      $name ($((SECONDS - start)) s) $(grep -E '^ *[0-9]+ passed|^=* ?[0-9]+ passed|^ *Tests +[0-9]+ passed' "$log" | tail -n 1)"
  else
    { echo "FAILED  $name ($((SECONDS - start)) s)"; tail -n 150 "$log"; } | cut -c -400
    echo "$name" >>"$logs/failed"
  fi
}

same_api() {
  local fresh
  fresh=$(mktemp) && .venv/bin/python manage.py spectacular --file "$fresh" --validate --fail-on-warn &&
    diff -u openapi.yaml "$fresh" && rm -f "$fresh"
}

static_lane() {
  step "ruff" .venv/bin/ruff check .
  step "ruff format" .venv/bin/ruff format --check .
  step "import borders" .venv/bin/lint-imports --no-cache
  step "mypy" .venv/bin/mypy .
  step "tsc" npm --prefix frontend run --silent typecheck:fast
  step "eslint, prettier" npm --prefix frontend run --silent lint
  step "django check" .venv/bin/python manage.py check --fail-level WARNING
  step "openapi.yaml is the code's" same_api
  step "vitest" npm --prefix frontend run --silent test
}

postgres() {
  step "pytest on PostgreSQL" tests/with_postgres.sh .venv/bin/pytest -q -n 2 --dist loadgroup -m postgres --at-least 850
}

static_lane &
postgres
wait
step "pytest" .venv/bin/pytest -q -n 2 --dist loadgroup
step "browser" tests/e2e/run.sh

if [ -s "$logs/failed" ]; then
  echo "failed: $(paste -sd, "$logs/failed")"
  exit 1
fi
