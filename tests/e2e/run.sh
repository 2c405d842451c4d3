#!/usr/bin/env bash
# The browser tests, against a copy of the product of their own. Arguments go to Playwright.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v chromium >/dev/null; then
  echo "skipped: the browser tests need Chromium (Debian: chromium), which is not installed"
  exit 0
fi
exec .venv/bin/python -m tests.e2e.run "$@"
