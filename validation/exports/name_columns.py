"""Finds the columns of an uploaded file that hold first and last names, by their headers."""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple


def _read_headers(text: str) -> frozenset[str]:
    return frozenset(map(_simplify, text.split(",")))


def _simplify(header: str) -> str:
    """A header without case, accents, blanks and signs.

    >>> _simplify(" Prénom "), _simplify("FIRST_NAME"), _simplify("名")
    ('prenom', 'firstname', '名')
    """
    plain = unicodedata.normalize("NFKD", header).casefold()
    return unicodedata.normalize("NFC", "".join(char for char in plain if char.isalpha()))


_FIRST = _read_headers(
    "first name, first, fname, given name, forename, Christian name, contact first name, customer first name,"
    "Vorname, Vornamen, Rufname, prénom, prénoms, nombre, nombres, nombre de pila, primer nombre,"
    "nome, nome próprio, primeiro nome, voornaam, roepnaam, imię, jméno, krstné meno, förnamn, fornavn, etunimi,"
    "keresztnév, utónév, prenume, ime, isim, adı, имя, ім'я, όνομα, 名"
)
_LAST = _read_headers(
    "last name, last, lname, surname, family name, second name, contact last name, customer last name,"
    "Nachname, Familienname, Zuname, nom, nom de famille, apellido, apellidos, primer apellido,"
    "cognome, sobrenome, apelido, último nome, achternaam, familienaam, nazwisko, příjmení, priezvisko, efternamn,"
    "etternavn, efternavn, sukunimi, vezetéknév, családnév, nume de familie, prezime, soyadı, soyisim, фамилия,"
    "прізвище, επώνυμο, 姓"
)
_WHOLE = "name"


class NameColumns(NamedTuple):
    """Places of columns from 0; None where no header says so."""

    first: int | None
    last: int | None


def find_name_columns(headers: Sequence[str]) -> NameColumns:
    """The first column of each kind. `Name` is the last name beside a first name (Vorname, Name), and else nobody's:
    which of its words is which cannot be told (Nagy Anna, Acme Ltd).

    >>> find_name_columns(["E-Mail", "Vorname", "Name"]), find_name_columns(["Name", "Email"])
    (NameColumns(first=1, last=2), NameColumns(first=None, last=None))
    """
    plain = [_simplify(header) for header in headers]
    first = next((place for place, name in enumerate(plain) if name in _FIRST), None)
    last = next((place for place, name in enumerate(plain) if name in _LAST), None)
    if last is None and first is not None and _WHOLE in plain:
        last = plain.index(_WHOLE)
    return NameColumns(first, last)
