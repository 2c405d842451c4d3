"""What the rules of the house say that no linter checks: sizes, and that every document can be found."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from django.conf import settings

ROOT: Path = settings.BASE_DIR
ROOMS = (
    "accounts",
    "adminpanel",
    "benchmarks",
    "billing",
    "clients",
    "crm",
    "emailcheck",
    "quotes",
    "samples",
    "tests",
    "validation",
)
APPS = tuple(room for room in ROOMS if room not in {"benchmarks", "clients", "samples", "tests"})
FILE_LINES, FUNCTION_LINES = 400, 51
MODULES_A_LEVEL, ONE_WORD_OF_100 = 15, 30
GENERIC = frozenset(
    [
        "take",
        "ask",
        "asked",
        "tell",
        "told",
        "keep",
        "kept",
        "look",
        "read",
        "end",
        "note",
        "find",
        "settle",
        "go",
        "come",
        "say",
        "said",
        "give",
        "given",
        "want",
        "wanted",
        "do",
        "did",
        "see",
        "seen",
        "hand",
        "wake",
        "know",
        "known",
        "count",
    ]
)
_LINK = re.compile(r"\]\((?!https?:|mailto:|/|#)([^)#\s]+)")


def sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from (path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text()))
    yield from (node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_files_and_functions_stay_small() -> None:
    found = list(sources())
    long_files = [str(path) for path in found if len(path.read_text().splitlines()) > FILE_LINES]
    long_functions = [
        f"{path}:{node.lineno} {node.name}"
        for path in found
        for node in functions(path)
        if (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]
    assert (len(found) > 500, long_files, long_functions) == (True, [], [])


def product() -> Iterator[Path]:
    """The modules of the apps, without tests and migrations."""
    for app in APPS:
        yield from (path for path in (ROOT / app).rglob("*.py") if not {"migrations", "tests"} & set(path.parts))


def test_no_level_is_crowded() -> None:
    levels = Counter(path.parent for path in product() if path.name != "__init__.py")
    crowded = {str(level): modules for level, modules in levels.items() if modules > MODULES_A_LEVEL}
    assert (len(levels) > 60, crowded) == (True, {})


def test_functions_are_named_by_what_they_do_to_what() -> None:
    """A bare generic verb says nothing, and one word in three is the most that a search can bear."""
    names = [
        (path, node.name)
        for path in product()
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    generic = [f"{path}: {name}" for path, name in names if name.strip("_") in GENERIC]
    one_word = sum("_" not in name.strip("_") for _, name in names)
    assert (generic, one_word * 100 < ONE_WORD_OF_100 * len(names)) == ([], True)


def interfaces() -> dict[str, set[str] | None]:
    """What each package lets others use: its `__all__`, and nobody's business but its own where there is none."""
    found: dict[str, set[str] | None] = {}
    for path in product():
        if path.name == "__init__.py":
            tree = ast.parse(path.read_text())
            lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and _is_all(node)]
            found[_dotted(path.parent)] = set(ast.literal_eval(lists[0])) if lists else None
    return found


def _is_all(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets)


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_packages_use_of_each_other_what_their_interfaces_name() -> None:
    """`__init__` of a package lists in `__all__` what others may use; a package inside an app has one."""
    packages = interfaces()
    inside = {name for name in packages if name.count(".") >= 1 and not name.endswith((".commands", ".management"))}
    silent = sorted(name for name in inside if packages[name] is None)
    beside = []
    for path in product():
        module = _dotted(path).removesuffix(".__init__")
        for target in _imported(path):
            if re.match(rf"({'|'.join(APPS)})\.models\.", target):  # those collect the tables for Django alone
                beside.append(f"{module} imports {target}")
            for package in inside:
                allowed = packages[package] or set()
                foreign = target.startswith(f"{package}.") and not f"{module}.".startswith(f"{package}.")
                if foreign and target.removeprefix(f"{package}.").split(".")[0] not in allowed:
                    beside.append(f"{module} imports {target}")
    assert (len(inside) > 40, silent, beside) == (True, [], [])


def documents() -> list[Path]:
    return [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "clients" / "python" / "README.md",
        ROOT / "samples" / "README.md",
        ROOT / "deploy" / "README.md",
    ]


def test_every_document_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    named = {(index.parent / link).resolve() for link in _LINK.findall(index.read_text())}
    measured = index.parent / "figures.md"  # there once `make bench` has written it
    files = {path for path in index.parent.rglob("*") if path.is_file()} - {index, measured}
    assert (len(files) > 30, files - named) == (True, set())


def test_links_between_documents_lead_somewhere() -> None:
    links = [(page, link) for page in documents() for link in _LINK.findall(page.read_text())]
    lost = [f"{page}: {link}" for page, link in links if not (page.parent / link).exists()]
    assert (len(links) > 60, lost) == (True, [])


def test_walks_name_what_is_there() -> None:
    """A path below an app, or a whole one, of a module or of a function in it."""
    named = re.findall(r"`([a-z]\w*(?:\.[a-z_]\w*){1,5})`", (ROOT / "docs" / "walks.md").read_text())
    lost = [name for name in named if not name.endswith(".csv") and not _exists(name)]
    assert (len(named) > 50, lost) == (True, [])


def _exists(name: str) -> bool:
    for start in (ROOT, *(ROOT / app for app in APPS)):
        path = start.joinpath(*name.split("."))
        if path.is_dir() or path.with_suffix(".py").is_file():
            return True
        module = path.parent.with_suffix(".py")
        if module.is_file() and any(
            node.name == path.name for node in ast.parse(module.read_text()).body if _is_def(node)
        ):
            return True
    return False


def _is_def(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
