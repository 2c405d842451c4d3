"""The forms of VAT ids, country by country.

The examples are the masks of the VIES FAQ with digits in them, and those of the documentation of python-stdnum.
"""

from collections.abc import Mapping

import pytest

from accounts.organisations.vat_ids import clean_vat_id
from emailcheck.common.errors import BadInput

# Of each country an id of every form, then what comes close to one.
FORMS: Mapping[str, tuple[str, str]] = {
    "AT": ("ATU13585627", "AT13585627 ATU1358562 ATU135856270 ATX13585627"),
    "BE": ("BE0428759497 BE1428759497", "BE428759497 BE2428759497 BE04287594970 BE042875949A"),
    "BG": ("BG175074752 BG7523169263", "BG17507475 BG75231692630"),
    "CHE": (
        "CHE107787577 CHE107787577MWST CHE107787577TVA CHE107787577IVA CHE107787577TPV",
        "CHE10778757 CHE1077875770 CHE107787577MVA CHE107787577VAT CH107787577",
    ),
    "CY": ("CY10259033P", "CY10259033 CY102590334 CY1025903P CY102590330P CY10259033PP"),
    "CZ": ("CZ25123891 CZ640903926 CZ7103192745", "CZ2512389 CZ71031927450"),
    "DE": ("DE136695976", "DE036695976 DE13669597 DE1366959760"),
    "DK": ("DK13585628", "DK1358562 DK135856280"),
    "EE": ("EE100931558", "EE10093155 EE1009315580"),
    "EL": ("EL094259216", "EL94259216 EL0942592160"),
    "ES": (
        "ESB64717838 ES54362315K ESX5253868R ESM1234567L",
        "ES123456789 ESB6471783 ESB647178380 ESXX253868R ESB6471783Ñ",
    ),
    "FI": ("FI20774740", "FI2077474 FI207747400"),
    "FR": (
        "FR40303265045 FRK7399859412 FR4Z123456782 FRXX123456782",
        "FRI7399859412 FRO7399859412 FR4I123456782 FR4O123456782 FR4030326504 FR403032650450 FRXXX23456782",
    ),
    "GB": (
        "GB980780684 GB980780684001 GBGD001 GBGD499 GBHA500 GBHA999",
        "GB98078068 GB9807806840 GB98078068400 GB9807806840010 GBGD500 GBHA499 GBGD01 GBGD0001 GBXX001",
    ),
    "HR": ("HR33392005961", "HR3339200596 HR333920059610"),
    "HU": ("HU12892312", "HU1289231 HU128923120"),
    "IE": (
        "IE6433435F IE6433435OA IE6433435FW IE1234567WI IE8D79739I IE8+79739I IE8*79739I",
        "IE6433435 IE64334350 IE6433435X IE6433435FX IE643343F IE6433435FAA IE8-79739I IE8?79739I IE8D79739IA",
    ),
    "IT": ("IT00743110157", "IT0074311015 IT007431101570"),
    "LT": ("LT119511515 LT100001919017", "LT11951151 LT1195115150 LT10000191901 LT1000019190170"),
    "LU": ("LU15027442", "LU1502744 LU150274420"),
    "LV": ("LV40003521600", "LV4000352160 LV400035216000"),
    "MT": ("MT11679112", "MT01679112 MT1167911 MT116791120"),
    "NL": (
        "NL004495445B01 NL000099998B57",
        "NL004495445A01 NL004495445001 NL00449544B01 NL0044954450B1 NL004495445B1 NL004495445B011 NL+04495445B01",
    ),
    "NO": ("NO995525828 NO995525828MVA", "NO99552582 NO9955258280 NO995525828MWST NO995525828MV"),
    "PL": ("PL8567346215", "PL856734621 PL85673462150"),
    "PT": ("PT501964843", "PT50196484 PT5019648430"),
    "RO": ("RO19 RO18547290 RO1854729000", "RO1 RO18547290000 RO018547290"),
    "SE": ("SE123456789701", "SE12345678970 SE1234567897010"),
    "SI": ("SI50223054", "SI00223054 SI5022305 SI502230540"),
    "SK": ("SK2022749619", "SK202274961 SK20227496190"),
    "XI": ("XI980780684 XI980780684001 XIGD001 XIHA500", "XI98078068 XIGD500 XIHA499"),
}


def is_taken(given: str) -> bool:
    """Whether an id is kept as it was given."""
    try:
        return clean_vat_id(given) == given
    except BadInput:
        return False


@pytest.mark.spec("ORG-002")
@pytest.mark.parametrize("country", FORMS)
def test_a_country_has_these_forms_and_no_others(country: str) -> None:
    taken, refused = (forms.split() for forms in FORMS[country])
    assert [one for one in taken if not is_taken(one)] == []
    assert [one for one in refused if is_taken(one)] == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""), (" . ", ""), (" - ", ""), ("de 123 456 789", "DE123456789"), ("DE 123,456.789", "DE123456789"),
        ("be 0123.456.789", "BE0123456789"), ("CHE-123.456.789 MWST", "CHE123456789MWST"),
        ("che 123 456 789", "CHE123456789"), ("CHE\u2011123.456.789\u00a0TVA", "CHE123456789TVA"),
        ("NO 123 456 789 MVA", "NO123456789MVA"), ("dk 12 34 56 78", "DK12345678"), ("ES-X-1234567-X", "ESX1234567X"),
        ("GB 980 7806 84 001", "GB980780684001"), ("FR xx 123456789", "FRXX123456789"),
        ("cy\u201310259033p", "CY10259033P"),
        ("se123456-7897/01", "SE123456789701"), ("ie 8+79739i", "IE8+79739I"),
    ],
)  # fmt: skip
def test_ids_are_kept_in_one_form(given: str, kept: str) -> None:
    assert clean_vat_id(given) == kept


@pytest.mark.parametrize("country", FORMS)
def test_the_refusal_shows_an_id_that_would_be_taken(country: str) -> None:
    with pytest.raises(BadInput, match=rf"^A VAT id of {country} has the form {country}\w+\.$") as refused:
        clean_vat_id(f"{country}?")
    shown = str(refused.value).rpartition(" ")[2].removesuffix(".")
    assert clean_vat_id(shown) == shown


@pytest.mark.parametrize("given", ["GR123456789", "123456789", "US123456789", "D", "U12345678", "ДЕ123456789"])
def test_other_countries_are_told_who_is_meant(given: str) -> None:
    with pytest.raises(BadInput, match="begins with the letters of a country of the EU, GB, XI, CHE or NO,") as told:
        clean_vat_id(given)
    assert (told.value.field, told.value.value) == ("vat_id", given)


def test_digits_are_those_of_ascii() -> None:
    with pytest.raises(BadInput, match="has the form DE123456789"):
        clean_vat_id("DE١٢٣٤٥٦٧٨٩")
