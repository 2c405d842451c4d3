"""Writes the sample lists of this folder from the simulated world: `python -m samples.make_samples`.

The same world gives the same files, octet by octet, and `expected.json` says what a check of each should find.
"""

import json
import random
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from emailcheck.sandbox.mailworld.scenario.loader import load_world
from emailcheck.sandbox.mailworld.scenario.world import World
from samples.people import Cast, Person, expectation, verdicts_by_address
from samples.writers import Row, write_csv, write_encrypted_xlsx, write_lines, write_xls, write_xlsx

FOLDER = Path(__file__).parent
_REAL = 20_000
_LONG, _LONG_IMPOSSIBLE, _LONG_REPEATED = 20_000, 300, 400
_SHORT, _SHORT_IMPOSSIBLE, _SHORT_REPEATED = 200, 10, 6
_OWN = "alder-and-ash.com"  # the company of the demo is none of its customers
_SLOW = {"mute", "black_hole", "slow_replies", "slow_banner", "flood"}
_CITIES = ("Köln", "Zürich", "Málaga", "Århus", "Łódź", "Genève", "Porto", "Gent")
_COMPANIES = ('Porter, Lind & "Sons"', "Berg\nHolding", "Stone; Reed | Co.", "Voss\tand Adler", "Plain Ltd")


def main(folder: Path = FOLDER) -> None:
    """Write every file of the folder but its sources."""
    world = load_world()
    customers, long_list, real_list = _customers(world), _long_list(world), _real_list(world)
    ugly = _Ugly(world, folder / "ugly")
    expected = {
        "customers-200": expectation(world, customers) | {"addresses": verdicts_by_address(world, customers)},
        "list-20000": expectation(world, long_list),
        "list-real-20000": expectation(world, real_list),
        **ugly.write(),
    }
    _write_customers(folder, customers)
    _write_long_list(folder, long_list)
    write_csv(folder / "list-real-20000.csv", _listed(real_list))
    _write_bad(folder)
    (folder / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _customers(world: World) -> list[Person]:
    cast = Cast(world, "customers")
    quick = [
        domain
        for domain in world.domains.values()
        if not (domain.operator and domain.operator.key in _SLOW) and domain.dns != "timeout"
        if domain.weight or not domain.share  # else it is there for the list as it is in life
        if domain.name != _OWN
    ]
    people = [*cast.examples(quick), *cast.impossible(_SHORT_IMPOSSIBLE)]
    people += islice(cast.people(_SHORT), _SHORT - _SHORT_REPEATED - len(people))
    return cast.shuffled([*people, *cast.repeated(people, _SHORT_REPEATED)])


def _long_list(world: World) -> list[Person]:
    cast = Cast(world, "long list")
    people = [*cast.one_at_each_domain(), *cast.impossible(_LONG_IMPOSSIBLE)]
    people += cast.people(_LONG - _LONG_REPEATED - len(people))
    return cast.shuffled([*people, *cast.repeated(people, _LONG_REPEATED)])


def _real_list(world: World) -> list[Person]:
    cast = Cast(world, "real list")
    return cast.shuffled(cast.as_in_life(_REAL))


def _write_customers(folder: Path, people: Sequence[Person]) -> None:
    rows: list[Row] = [("Customer", "Name", "E-mail", "City")]
    for number, person in enumerate(people):
        rows.append((f"C-{number + 1001}", person.name, person.email, _CITIES[number % len(_CITIES)]))
    write_csv(folder / "customers-200.csv", rows)
    write_xlsx(folder / "customers-200.xlsx", {"Customers": rows})
    write_xls(folder / "customers-200.xls", "Customers", rows)
    write_lines(folder / "customers-200.txt", (person.email for person in people))


def _write_long_list(folder: Path, people: Sequence[Person]) -> None:
    rows = _listed(people)
    write_csv(folder / "list-20000.csv", rows)
    write_xlsx(folder / "list-20000.xlsx", {"List": rows})
    write_lines(folder / "list-20000.txt", (person.email for person in people))


def _listed(people: Sequence[Person]) -> list[Row]:
    return [("email", "name"), *((person.email, person.name) for person in people)]


class _Ugly:
    """Lists of 200 rows as they come out of old programs."""

    def __init__(self, world: World, folder: Path) -> None:
        self._world = world
        self._folder = folder
        self._expected: dict[str, dict[str, object]] = {}
        folder.mkdir(exist_ok=True)

    def write(self) -> dict[str, dict[str, object]]:
        """Write them all and tell what to find in each, by its path."""
        self._encodings()
        self._columns()
        self._blanks()
        self._formulas()
        self._sheets()
        return self._expected

    def _people(self, name: str, *, count: int = 200) -> list[Person]:
        people = list(Cast(self._world, name).people(count))
        self._expect(name, people)
        return people

    def _expect(self, name: str, people: Sequence[Person]) -> None:
        self._expected[f"ugly/{name}"] = expectation(self._world, people)

    def _encodings(self) -> None:
        head = ("Straße", "E-Mail", "Name")
        for name, options in (
            ("semicolon-cp1252.csv", {"delimiter": ";", "encoding": "cp1252", "newline": "\r\n"}),
            ("tab-utf16.txt", {"delimiter": "\t", "encoding": "utf-16", "newline": "\r\n"}),
            ("pipe.csv", {"delimiter": "|"}),
            ("bom-crlf.csv", {"encoding": "utf-8-sig", "newline": "\r\n"}),
        ):
            people = self._people(name)
            rows = [("Mühlenstraße 7", person.email, f"Jürgen {person.name}") for person in people]
            write_csv(self._folder / name, [head, *rows], **options)

    def _columns(self) -> None:
        people = self._people("no-header.csv")
        write_csv(self._folder / "no-header.csv", ((person.name, person.email) for person in people))
        people = self._people("third-column-quoted.csv")
        rows = [
            (person.name, _COMPANIES[number % len(_COMPANIES)], person.email) for number, person in enumerate(people)
        ]
        write_csv(self._folder / "third-column-quoted.csv", [("Name", "Company", "Contact"), *rows])

    def _blanks(self) -> None:
        name = "duplicates-blanks.csv"
        cast = Cast(self._world, name)
        people = list(cast.people(90))
        people += cast.repeated(people, 60)
        self._expect(name, people)
        rows: list[Row] = [(f"  {person.email} ", person.name) for person in people]
        rows += [("", "")] * 30 + [("   ", "Nobody at all")] * 20
        random.Random(name).shuffle(rows)
        write_csv(self._folder / name, [("email", "name"), *rows])

    def _formulas(self) -> None:
        people = self._people("formulas.csv", count=196)
        locals_ = ("=1+1", "+tag", "-sales", "=cmd|calc")
        people += [Person("=1+1", f"{local}@harborquill.com") for local in locals_]
        self._expect("formulas.csv", people)
        notes = ('=HYPERLINK("http://harborquill.com","click")', "+49 221 1234", "-2+3", "@SUM(A1:A9)")
        rows = [(person.email, notes[number % len(notes)]) for number, person in enumerate(people)]
        write_csv(self._folder / "formulas.csv", [("email", "note"), *rows])
        write_xlsx(self._folder / "formulas.xlsx", {"List": [("email", "note"), *rows]})

    def _sheets(self) -> None:
        customers = self._people("several-sheets.xlsx#Customers", count=120)
        leads = self._people("several-sheets.xlsx#Leads", count=80)
        write_xlsx(
            self._folder / "several-sheets.xlsx",
            {"Customers": _named(customers), "Leads": _named(leads), "Notes": [("Nothing to check here",)]},
        )


def _named(people: Iterable[Person]) -> list[Row]:
    return [("Name", "Email"), *((person.name, person.email) for person in people)]


def _write_bad(folder: Path) -> None:
    bad = folder / "bad"
    bad.mkdir(exist_ok=True)
    (bad / "empty.csv").write_bytes(b"")
    write_csv(bad / "no-emails.csv", [("Name", "City"), *(("Anna Keller", city) for city in _CITIES)])
    write_encrypted_xlsx(bad / "encrypted.xlsx")
    (bad / "binary.csv").write_bytes(random.Random("binary").randbytes(4096))
    (bad / "pdf.xlsx").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n")
    whole = (folder / "customers-200.xlsx").read_bytes()
    (bad / "truncated.xlsx").write_bytes(whole[: len(whole) // 2])


if __name__ == "__main__":
    main()
