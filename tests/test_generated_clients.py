"""Clients that others generate from the contract are made without a warning, and are well typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from emailcheck.contract.description import load_contract

BIN = Path(sys.executable).parent
NODE_BIN = Path(settings.BASE_DIR, "frontend/node_modules/.bin")


def run(*command: str | Path, cwd: Path) -> str:
    """What a command prints; it must succeed."""
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [str(part) for part in command],
        check=False,
        cwd=cwd,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    place = tmp_path / "openapi.json"
    place.write_bytes(load_contract()[0])
    return place


@pytest.mark.spec("API-003")
def test_a_python_client_is_generated_without_a_warning_and_typed(contract: Path, tmp_path: Path) -> None:
    said = run(BIN / "openapi-python-client", "generate", "--path", contract, "--output-path", "made", cwd=tmp_path)
    assert "warning" not in said.lower()
    (package,) = (one for one in (tmp_path / "made").iterdir() if (one / "client.py").exists())
    assert len(list((package / "api").rglob("*.py"))) > 34
    typed = run(BIN / "mypy", "--strict", "--cache-dir", tmp_path / "cache", package.name, cwd=tmp_path / "made")
    assert typed.startswith("Success")


@pytest.mark.spec("API-003")
@pytest.mark.skipif(not NODE_BIN.exists(), reason="the packages of the front end are not installed")
def test_a_typescript_client_is_generated_without_a_warning_and_typed(contract: Path, tmp_path: Path) -> None:
    said = run(NODE_BIN / "openapi-typescript", contract, "-o", tmp_path / "made.d.ts", cwd=NODE_BIN)
    assert "warn" not in said.lower()
    run(NODE_BIN / "tsc", "--noEmit", "--strict", "--skipLibCheck", "false", tmp_path / "made.d.ts", cwd=NODE_BIN)
