#!/usr/bin/env bash
# Runs a command with DATABASE_URL pointing at a PostgreSQL server of its own, which ends with it. It listens on a file,
# so that no port can be taken.
# POSTGRES_FSYNC=on makes commits durable, as in production; without it no query is compiled either, which never pays on
# the few rows of tests.
# --template makes a migrated database first, which that of DATABASE_URL and those of tests (conftest.py) are copies of.
# Exits 0 with a line that says so when PostgreSQL is not installed.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
if [ -z "$bin" ]; then
  echo "SKIPPED on PostgreSQL: it is not installed"
  exit 0
fi

directory=$(mktemp -d)
as_owner() { "$@"; }
if [ "$(id -u)" = 0 ]; then # PostgreSQL refuses to run as root
  chown postgres "$directory"
  as_owner() { (cd / && setpriv --reuid postgres --regid postgres --clear-groups "$@"); }
fi
finish() {
  as_owner "$bin/pg_ctl" -D "$directory/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$directory"
}
trap finish EXIT

as_owner "$bin/initdb" -D "$directory/data" -U emailcheck --auth trust --no-sync >/dev/null
as_owner "$bin/pg_ctl" -D "$directory/data" -w -l "$directory/log" \
  -o "-c jit=${POSTGRES_FSYNC:-off} -c listen_addresses= -c unix_socket_directories=$directory -c fsync=${POSTGRES_FSYNC:-off} -c full_page_writes=${POSTGRES_FSYNC:-off} -c synchronous_commit=${POSTGRES_FSYNC:-off} -c max_connections=120" \
  start >/dev/null
# What makes the server die at once and come back through its log, for tests of that.
crash="'$bin/pg_ctl' -D '$directory/data' -m immediate -w -l '$directory/log' restart"
[ "$(id -u)" != 0 ] || crash="cd / && setpriv --reuid postgres --regid postgres --clear-groups $crash"
export POSTGRES_CRASH="$crash"
host=$(printf %s "$directory" | od -An -v -tx1 | tr -d '\n' | tr ' ' %) # every octet escaped
server="postgresql://emailcheck@$host:5432"
made() { as_owner "$bin/createdb" -h "$directory" -U emailcheck "$@"; }
database=postgres
if [ "$1" = --template ]; then
  shift
  export TEMPLATE_DATABASE=migrated
  made "$TEMPLATE_DATABASE"
  DATABASE_URL="$server/$TEMPLATE_DATABASE" .venv/bin/python manage.py migrate --no-input -v 0 --skip-checks
  database=emailcheck
  made --template "$TEMPLATE_DATABASE" "$database"
fi
DATABASE_URL="$server/$database" "$@"
