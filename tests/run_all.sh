#!/usr/bin/env bash
# Every check; one line a step, and what a failed step printed last. They run beside each other, so that no core is idle.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

step() { # name, command…
  local name=$1 start=$SECONDS log failed
  log=$logs/${name//[^a-z]/-}
  shift
  "$@" >"$log" 2>&1
  failed=$?
  {
    flock 9 # one speaks at a time
    if [ $failed = 0 ]; then
      echo "ok      $name ($((SECONDS - start)) s) $(grep -E '^ *[0-9]+ passed|^=* ?[0-9]+ passed|^ *Tests +[0-9]+ passed' "$log" | tail -n 1)"
      grep -A 20 -E '^ *[0-9]+ flaky' "$log" | grep -E 'flaky|›' # what passed the second time
    else
      { echo "FAILED  $name ($((SECONDS - start)) s)"; tail -n 150 "$log"; } | cut -c -400
      echo "$name" >>"$logs/failed"
    fi
  } 9>>"$logs/speaking"
}

# The tests that failed, by name: what a step printed last may be about the last of them alone.
name_failed() { # log
  sed -n '/^ *[0-9]\+ failed$/,/^ *[0-9]\+ \(flaky\|passed\|skipped\)/p' "$1" | grep '›' # of Playwright
  grep -E '^(FAILED|ERROR) | FAIL ' "$1"                                              # of pytest and vitest
}

same_api() {
  local fresh
  fresh=$(mktemp) && .venv/bin/python manage.py spectacular --file "$fresh" --validate --fail-on-warn &&
    diff -u openapi.yaml "$fresh" && rm -f "$fresh"
}

make_copies() {
  mkdir "$logs/copies" && .venv/bin/python -m tests.stack "$logs/copies"
}

# In one process each, and from what the others leave.
static_lane() {
  renice -n 10 $BASHPID >/dev/null
  step "ruff" .venv/bin/ruff check .
  step "ruff format" .venv/bin/ruff format --check .
  step "import borders" .venv/bin/lint-imports --no-cache
  step "tsc" npm --prefix frontend run --silent typecheck
  step "oxlint, prettier" npm --prefix frontend run --silent lint
  step "mypy" .venv/bin/mypy .
  step "django check" .venv/bin/python manage.py check --fail-level WARNING
  step "openapi.yaml is the code's" same_api
  step "vitest" npm --prefix frontend run --silent test
}

# What starts whole products, one after the other: they wait for each other in time.
product_lane() {
  step "browser" tests/e2e/run.sh
  step "pytest on PostgreSQL" tests/with_postgres.sh --template .venv/bin/pytest -q -n 2 --dist loadgroup -m postgres --at-least 850
}

export CI=true # made-up cases are the same ones in every run; by hand and in `make soak` they are others each time
static_lane &
step "a migrated copy, and a seeded one" make_copies
export COPIES=$logs/copies
product_lane &
step "pytest" .venv/bin/pytest -q -n 2 --dist loadgroup --reuse-db
wait

if [ -s "$logs/failed" ]; then
  while read -r name; do name_failed "$logs/${name//[^a-z]/-}"; done <"$logs/failed" | cut -c -300
  echo "failed: $(sort "$logs/failed" | paste -sd,)"
  exit 1
fi
