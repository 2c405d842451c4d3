"""VAT ids: their form, by the country that begins them. Neither check digits nor whether one is registered are asked.

The forms are those of question 11 of the VIES FAQ of the European Commission
(https://ec.europa.eu/taxation_customs/vies/#/faq), where `EL` is Greece and `XI` Northern Ireland. Where that table is
wider than what is issued, what is issued holds:

- NL: nine digits, B, two digits (Belastingdienst: https://ondernemersplein.kvk.nl/nummers-voor-de-btw/)
- DE, MT, RO, SI: no zero in front, as python-stdnum 2.2 (`stdnum.eu.vat`) and jsvat have it; FR: no I and no O
- IE: the letters are A to W, the second one too, as python-stdnum has it
- GB, XI: GD and three digits below 500, HA and three digits from 500 (python-stdnum, jsvat; HMRC: VATGPB9400)

`CHE` follows the Swiss UID register (MWST, TVA, IVA or TPV may follow), `NO` the register of Brønnøysund (MVA may).
python-stdnum itself is not used: it refuses wrong check digits, provinces and dates of birth as well, and an id that
was issued against its rules could then not be put on an invoice.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from emailcheck.common.errors import BadInput

# Blanks, dots, commas, slashes, and hyphens of any kind.
_NOISE = re.compile(r"[\s.,/\u2010-\u2015-]+")
_BRITISH = r"(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})"
# Of each country the pattern of what follows its letters, and an example.
_FORMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "AT": (r"U\d{8}", "ATU12345678"),
        "BE": (r"[01]\d{9}", "BE0123456789"),
        "BG": (r"\d{9,10}", "BG123456789"),
        "CHE": (r"\d{9}(MWST|TVA|IVA|TPV)?", "CHE123456789MWST"),
        "CY": (r"\d{8}[A-Z]", "CY12345678L"),
        "CZ": (r"\d{8,10}", "CZ12345678"),
        "DE": (r"[1-9]\d{8}", "DE123456789"),
        "DK": (r"\d{8}", "DK12345678"),
        "EE": (r"\d{9}", "EE123456789"),
        "EL": (r"\d{9}", "EL123456789"),
        "ES": (r"([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])", "ESX1234567X"),
        "FI": (r"\d{8}", "FI12345678"),
        "FR": (r"[A-HJ-NP-Z0-9]{2}\d{9}", "FR12345678901"),
        "GB": (_BRITISH, "GB123456789"),
        "HR": (r"\d{11}", "HR12345678901"),
        "HU": (r"\d{8}", "HU12345678"),
        "IE": (r"(\d{7}[A-W]{1,2}|\d[A-Z+*]\d{5}[A-W])", "IE1234567WA"),
        "IT": (r"\d{11}", "IT12345678901"),
        "LT": (r"(\d{9}|\d{12})", "LT123456789"),
        "LU": (r"\d{8}", "LU12345678"),
        "LV": (r"\d{11}", "LV12345678901"),
        "MT": (r"[1-9]\d{7}", "MT12345678"),
        "NL": (r"\d{9}B\d{2}", "NL123456789B01"),
        "NO": (r"\d{9}(MVA)?", "NO123456789MVA"),
        "PL": (r"\d{10}", "PL1234567890"),
        "PT": (r"\d{9}", "PT123456789"),
        "RO": (r"[1-9]\d{1,9}", "RO1234567890"),
        "SE": (r"\d{12}", "SE123456789701"),
        "SI": (r"[1-9]\d{7}", "SI12345678"),
        "SK": (r"\d{10}", "SK1234567890"),
        "XI": (_BRITISH, "XI123456789"),
    }
)


def clean_vat_id(text: str) -> str:
    """The id in capitals without blanks, dots and hyphens; nothing stays nothing. Raises `BadInput` naming the form."""
    cleaned = _NOISE.sub("", text).upper()
    if not cleaned:
        return ""
    country = next((prefix for prefix in (cleaned[:3], cleaned[:2]) if prefix in _FORMS), None)
    if country is None:
        detail = "A VAT id begins with the letters of a country of the EU, GB, XI, CHE or NO, as in DE123456789."
        raise BadInput(detail, field="vat_id", value=text)
    pattern, example = _FORMS[country]
    if not re.fullmatch(pattern, cleaned.removeprefix(country), re.ASCII):
        raise BadInput(f"A VAT id of {country} has the form {example}.", field="vat_id", value=text)
    return cleaned
