"""Compile the public lists into one dated file: `python -m validation.engine.knowledge.refresh_lists`.

Reads the installed development packages disposable-email-domains and MailChecker and, where npm is there,
free-email-domains by `npm pack` (its install script downloads, packing does not run it). Without npm the free
domains already compiled are kept, with their old version.
"""

import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import disposable_email_domains
from MailChecker import MailChecker

from validation.engine.knowledge.list_files import COMPILED, CURATED, Sections, read_sections
from validation.engine.syntax import AddressSyntaxError, parse

_FREE = "free-email-domains"
_HEADER = """\
# Compiled by `python -m validation.engine.knowledge.refresh_lists`; do not edit. Licences: NOTICE.md beside this file.
# date: {date}
# disposable-email-domains: {ded}
# MailChecker: {mailchecker}
# free-email-domains: {free}
"""


def main() -> int:
    """Write the compiled file and say what is in it. Where nothing has changed, the file keeps its date."""
    old = read_sections(COMPILED) if COMPILED.exists() else Sections({}, {})
    free, free_version = _fetch_free_domains() or read_free_domains(old)
    today = datetime.now(UTC).date().isoformat()
    if compile_lists(free, free_version, old.header.get("date", today)) != _read_text(COMPILED):
        COMPILED.write_text(compile_lists(free, free_version, today))
    names = read_sections(COMPILED).names
    sys.stdout.write("".join(f"{len(found):7} {section}\n" for section, found in names.items()))
    return 0


def read_free_domains(old: Sections) -> tuple[Iterable[str], str]:
    """The free domains of a compiled file and their version."""
    return old.names.get("free", ()), old.header.get(_FREE, "none")


def compile_lists(free: Iterable[str], free_version: str, date: str) -> str:
    """The text of the compiled file: the same packages and the same date give the same octets."""
    first, second = _clean_names(disposable_email_domains.blocklist), _clean_names(MailChecker.blacklist)
    curated = read_sections(CURATED).names
    excluded = {name for kind in ("relay", "alias", "forwarder", "allowed") for name in curated[kind]}
    excluded |= _clean_names(disposable_email_domains.allowlist)
    sections = {
        "disposable:both": (first & second) - excluded,
        "disposable:disposable-email-domains": first - second - excluded,
        "disposable:MailChecker": second - first - excluded,
        "free": _clean_names(free) - ((first | second) - excluded),
    }
    header = _HEADER.format(
        date=date, ded=version("disposable-email-domains"), mailchecker=version("mailchecker"), free=free_version
    )
    return header + "".join(_format_section(name, names) for name, names in sections.items())


def _read_text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _format_section(name: str, names: Iterable[str]) -> str:
    return f"\n[{name}]\n" + "".join(f"{domain}\n" for domain in sorted(names))


def _clean_names(names: Iterable[str]) -> set[str]:
    """Lower-case A-labels of those names that can be a mail domain at all."""
    domains = set()
    for name in names:
        try:
            domains.add(parse(f"a@{name.strip().lower()}").domain)
        except AddressSyntaxError:
            continue
    return domains


def _fetch_free_domains() -> tuple[list[str], str] | None:
    npm = shutil.which("npm")
    if npm is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run([npm, "pack", _FREE, "--silent"], cwd=folder, capture_output=True, check=False)
        archives = list(Path(folder).glob("*.tgz"))
        if packed.returncode or not archives:
            return None
        with tarfile.open(archives[0]) as archive:
            manifest = json.load(_open_member(archive, "package/package.json"))
            return json.load(_open_member(archive, "package/domains.json")), str(manifest["version"])


def _open_member(archive: tarfile.TarFile, name: str) -> io.BytesIO:
    handle = archive.extractfile(name)
    return io.BytesIO(handle.read() if handle else b"")


if __name__ == "__main__":
    sys.exit(main())
