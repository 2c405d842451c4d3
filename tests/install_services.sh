#!/usr/bin/env bash
# Installs what tests use beyond Python and Node: Chromium, PostgreSQL, Redis, HAProxy, what reads the files of deploy/,
# and what runs the samples of the documentation, when root may install them.
# What cannot be had is named, and the tests that need it are skipped by name and reason.
set -euo pipefail

root_with_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

missing=()
command -v chromium >/dev/null || missing+=(chromium)
command -v redis-server >/dev/null || missing+=(redis-server)
command -v strace >/dev/null || missing+=(strace)
command -v haproxy >/dev/null || [ -x /usr/sbin/haproxy ] || missing+=(haproxy)
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing+=(postgresql)

if [ ${#missing[@]} -gt 0 ]; then
  if root_with_apt; then
    echo "installing ${missing[*]}"
    log=$(mktemp)
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } \
      >"$log" 2>&1 || { tail -n 20 "$log"; echo "could not install ${missing[*]}: the tests that need them are skipped"; }
    rm -f "$log"
  else
    echo "not root: without ${missing[*]} the tests that need them are skipped"
  fi
fi

# What reads the files of deploy/ (30 MB). Nothing of it is started, now or with the machine.
readers=()
for name in nginx caddy docker-compose prometheus; do command -v "$name" >/dev/null || readers+=("$name"); done
if [ ${#readers[@]} -gt 0 ] && root_with_apt; then
  echo "installing ${readers[*]}"
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
  fi
  add=(timeout 240 apt-get install -y -qq --no-install-recommends "${readers[@]}")
  export DEBIAN_FRONTEND=noninteractive
  { "${add[@]}" || { timeout 60 apt-get update -qq && "${add[@]}"; }; } >/dev/null 2>&1 ||
    echo "could not install ${readers[*]}: the tests that need them are skipped"
  systemctl disable --quiet "${readers[@]}" >/dev/null 2>&1 || true
fi

# Chromium's shell without windows does the same in half the time. Where it cannot be had, Chromium does it.
if root_with_apt && command -v chromium >/dev/null && ! command -v chromium-headless-shell >/dev/null; then
  add=(timeout 120 apt-get install -y -qq --no-install-recommends chromium-headless-shell)
  { "${add[@]}" || { timeout 60 apt-get update -qq && "${add[@]}"; }; } >/dev/null 2>&1 ||
    echo "could not install chromium-headless-shell: the browser tests take longer"
fi

# What runs the samples of the documentation in PHP, Ruby and Go (150 MB). Without one of them its samples are not run.
runners=()
command -v php >/dev/null || runners+=(php-cli php-curl)
command -v ruby >/dev/null || runners+=(ruby)
command -v go >/dev/null || runners+=(golang-go)
if [ ${#runners[@]} -gt 0 ] && root_with_apt; then
  echo "installing ${runners[*]}"
  add=(timeout 240 apt-get install -y -qq --no-install-recommends "${runners[@]}")
  export DEBIAN_FRONTEND=noninteractive
  { "${add[@]}" || { timeout 60 apt-get update -qq && "${add[@]}"; }; } >/dev/null 2>&1 ||
    echo "could not install ${runners[*]}: their samples are not run"
fi
