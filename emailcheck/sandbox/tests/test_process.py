"""`python -m emailcheck.sandbox`, from the first line to the signal that ends it."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import httpx2
import pytest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_tells_its_ports_serves_and_ends_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    ports = [argument for service in ("dns", "socks", "mail", "http") for argument in (f"--{service}-port", "0")]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-W", "error", "-m", "emailcheck.sandbox", "--data-dir", str(tmp_path), *ports),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    told = json.loads(await process.stdout.readline())
    assert list(told) == ["dns", "socks", "mail", "http"]
    async with httpx2.AsyncClient(trust_env=False) as client:
        assert (await client.get(f"http://127.0.0.1:{told['http']}/sandbox")).status_code == 200
        _, writer = await asyncio.open_connection("127.0.0.1", told["socks"])
        process.send_signal(number)
        assert await process.communicate() == (b"", b"")
        writer.close()
    assert process.returncode == 0
