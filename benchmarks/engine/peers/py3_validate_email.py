"""py3-validate-email as one subject of the run, in a Python of its own: `python py3_validate_email.py JOB`.

`validate_email_or_fail` says more than `validate_email`, so the exception's name is kept. Calls run in threads.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from validate_email import validate_email_or_fail


def memory_mb(kind: str) -> float:
    """`VmRSS` or `VmHWM` of this process in MB."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{kind}:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Do the job that the file names."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def check(email: str) -> list[object]:
        try:
            found = validate_email_or_fail(
                email, smtp_helo_host=job["helo"], smtp_from_address=job["sender"], smtp_skip_tls=not job["tls"]
            )
        except Exception as error:
            return [None, type(error).__name__, ""]
        return [found, "", ""]

    start_mb = memory_mb("VmRSS")
    cpu, started = time.process_time(), time.monotonic()
    with ThreadPoolExecutor(job["parallel"]) as threads:
        answers = list(threads.map(check, job["addresses"]))
    seconds = time.monotonic() - started
    result = {
        "seconds": seconds,
        "cpu_s": time.process_time() - cpu,
        "start_mb": start_mb,
        "peak_mb": memory_mb("VmHWM"),
        "slowest_s": seconds,
        "answers": answers,
    }
    Path(job["result"]).write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
