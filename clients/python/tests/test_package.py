"""The package as it is built and installed: its size, its files, its types, its README, and who imports it."""

import ast
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from django.conf import settings

from clients.python.tests.commands import build_environment
from clients.python.tests.conftest import Product
from clients.python.tests.readme import README, read_blocks

ROOT: Path = settings.BASE_DIR
PACKAGE = ROOT / "clients" / "python"
SOURCES = PACKAGE / "src" / "emailcheck_client"
PRODUCT = ("accounts", "adminpanel", "billing", "crm", "emailcheck", "quotes", "validation")
pytestmark = pytest.mark.xdist_group("client")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make client` builds."""
    subprocess.run(["make", "-o", ".venv/.installed-dev", "client"], cwd=ROOT, check=True, capture_output=True)
    return PACKAGE / "dist"


@pytest.mark.spec("SDK-001")
def test_wheel_and_sdist_hold_what_they_should(dist: Path) -> None:
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        (about,) = (name for name in names if name.endswith("/METADATA"))
        facts = Parser().parsestr(packed.read(about).decode())
        (entries,) = (name for name in names if name.endswith("entry_points.txt"))
        assert b"emailcheck = emailcheck_client.cli:main" in packed.read(entries)
    modules = {f"emailcheck_client/{path.name}" for path in SOURCES.iterdir() if path.is_file()}
    assert {name for name in names if ".dist-info/" not in name} == modules
    assert "emailcheck_client/py.typed" in modules
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert facts.get_all("Requires-Dist") == ["httpx<1,>=0.27"]
    assert (facts["Name"], facts["Requires-Python"], facts["License-Expression"]) == (
        "emailcheck-client", ">=3.10", "MIT"
    )  # fmt: skip
    with tarfile.open(sdist) as packed_sources:
        inside = {name.partition("/")[2] for name in packed_sources.getnames()}
    assert {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml"} <= inside
    assert {f"src/{name}" for name in modules} <= inside


@pytest.mark.spec("SDK-001")
def test_the_package_is_small() -> None:
    """Lines that are not blank."""
    lines = [line for path in SOURCES.glob("*.py") for line in path.read_text().splitlines() if line.strip()]
    assert 500 < len(lines) <= 1_200


@pytest.mark.spec("SDK-001")
def test_the_product_never_imports_it() -> None:
    files = [path for app in PRODUCT for path in (ROOT / app).rglob("*.py")]
    imported = {
        name.partition(".")[0]
        for path in files
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    }
    assert (len(files) > 500, imported & {"emailcheck_client", "httpx", "clients"}) == (True, set())
    assert "\nhttpx==" not in (ROOT / "requirements.txt").read_text()


@pytest.mark.spec("SDK-013")
@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_types_hold_for_the_package_and_for_its_samples(tmp_path: Path, version: str) -> None:
    samples = [block.code for block in read_blocks() if block.language == "python"]
    folder = tmp_path / "readme_samples"
    folder.mkdir()
    for number, code in enumerate(["", *samples]):
        (folder / (f"sample_{number}.py" if number else "__init__.py")).write_text(code)
    options = ["--strict", "--config-file=", "--python-version", version]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "-p", "emailcheck_client", "-p", "readme_samples"],
        cwd=tmp_path, env=build_environment(MYPYPATH=f"{SOURCES.parent}:{tmp_path}"), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    count = len(list(SOURCES.glob("*.py"))) + len(samples) + 1
    assert (len(samples) > 4, checked.stdout) == (True, f"Success: no issues found in {count} source files\n")


@pytest.mark.spec("SDK-013")
def test_importing_loads_no_http_library() -> None:
    """What is slow comes with the first client; `make bench ARGS=client` measures it."""
    code = "import emailcheck_client, sys; print('httpx' in sys.modules); emailcheck_client.EmailCheck"
    done = subprocess.run([sys.executable, "-c", code], env=build_environment(), capture_output=True, check=True)
    assert done.stdout == b"False\n"


@pytest.mark.spec("SDK-001")
def test_the_readme_runs_word_for_word_in_a_fresh_environment(dist: Path, product: Product) -> None:
    line = [sys.executable, "-m", "clients.python.tests.readme_in_fresh_environment", product.address, product.trial]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, f"{len(read_blocks())} blocks were run, 0 failed\n"), done.stderr


@pytest.mark.spec("SDK-001")
def test_the_readme_has_what_a_reader_looks_for_and_claims_no_registry() -> None:
    text = README.read_text()
    chapters = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert chapters == [
        "Install", "First call", "A list", "With asyncio", "Errors", "Webhooks", "Command line", "Licence"
    ]  # fmt: skip
    assert "pip install emailcheck-client" not in text
    assert "pypi" not in text.lower()
    version = (PACKAGE / "CHANGELOG.md").read_text().split("## ")[1].split()[0]
    assert f'__version__ = "{version}"' in (SOURCES / "__init__.py").read_text()
