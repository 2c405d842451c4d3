"""`make bench-scale`, or `python -m benchmarks.scale workers` inside `tests/with_postgres.sh`."""

import os
import sys

from benchmarks.engine import report
from benchmarks.scale import workers

_PARTS = {"workers": workers.workers}


def main(wanted: list[str]) -> int:
    """Run the parts by name, all without names."""
    unknown = [name for name in wanted if name not in _PARTS]
    if unknown or "DATABASE_URL" not in os.environ:
        print(f"parts are {', '.join(_PARTS)}, and DATABASE_URL leads to PostgreSQL", file=sys.stderr)
        return 2
    print(f"{report.hardware()}\n", flush=True)
    for part in wanted or _PARTS:
        _PARTS[part]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
