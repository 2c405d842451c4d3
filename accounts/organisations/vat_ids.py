"""VAT ids: their form, by the country that begins them. Whether one is registered is not asked.

EU formats are those of question 11 of the VIES FAQ of the European Commission
(https://ec.europa.eu/taxation_customs/vies/#/faq); `XI` is Northern Ireland, `EL` Greece. `GB` follows HMRC's VAT
manual, `CHE` the UID register of Switzerland, `NO` the register of Brønnøysund.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from emailcheck.common.errors import BadInput

_NOISE = re.compile(r"[\s.]+")
# Of each country the pattern of what follows its letters, and an example.
_FORMS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "AT": (r"U\d{8}", "ATU12345678"),
        "BE": (r"[01]\d{9}", "BE0123456789"),
        "BG": (r"\d{9,10}", "BG123456789"),
        "CHE": (r"-?\d{9}(MWST|TVA|IVA)?", "CHE123456789MWST"),
        "CY": (r"\d{8}[A-Z]", "CY12345678L"),
        "CZ": (r"\d{8,10}", "CZ12345678"),
        "DE": (r"\d{9}", "DE123456789"),
        "DK": (r"\d{8}", "DK12345678"),
        "EE": (r"\d{9}", "EE123456789"),
        "EL": (r"\d{9}", "EL123456789"),
        "ES": (r"([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])", "ESX1234567X"),
        "FI": (r"\d{8}", "FI12345678"),
        "FR": (r"[A-HJ-NP-Z0-9]{2}\d{9}", "FR12345678901"),
        "GB": (r"(\d{9}|\d{12}|(GD|HA)\d{3})", "GB123456789"),
        "HR": (r"\d{11}", "HR12345678901"),
        "HU": (r"\d{8}", "HU12345678"),
        "IE": (r"(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])", "IE1234567WA"),
        "IT": (r"\d{11}", "IT12345678901"),
        "LT": (r"(\d{9}|\d{12})", "LT123456789"),
        "LU": (r"\d{8}", "LU12345678"),
        "LV": (r"\d{11}", "LV12345678901"),
        "MT": (r"\d{8}", "MT12345678"),
        "NL": (r"[A-Z0-9+*]{12}", "NL123456789B01"),
        "NO": (r"\d{9}(MVA)?", "NO123456789MVA"),
        "PL": (r"\d{10}", "PL1234567890"),
        "PT": (r"\d{9}", "PT123456789"),
        "RO": (r"\d{2,10}", "RO1234567890"),
        "SE": (r"\d{12}", "SE123456789012"),
        "SI": (r"\d{8}", "SI12345678"),
        "SK": (r"\d{10}", "SK1234567890"),
        "XI": (r"(\d{9}|\d{12}|(GD|HA)\d{3})", "XI123456789"),
    }
)


def clean_vat_id(text: str) -> str:
    """The id without blanks and dots, in capitals; an empty text stays empty. Raises `BadInput` naming the form."""
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
