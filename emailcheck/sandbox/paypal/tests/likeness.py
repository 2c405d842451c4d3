"""How a value of the simulation is compared with a sample from PayPal's documentation."""

import re
from typing import Any

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z")
_ID = re.compile(r"[A-Z0-9]{10,}")
_SEPARATORS = re.compile(r"[-/?=&:|]")


def differences(sample: Any, found: Any, path: str = "") -> list[str]:
    """Where the value is not of the sample's shape: other members, other types, texts of another form."""
    if isinstance(sample, dict) and isinstance(found, dict):
        told = [f"{path}/{name} is missing" for name in sample.keys() - found.keys()]
        told += [f"{path}/{name} is not documented" for name in found.keys() - sample.keys()]
        for name in sample.keys() & found.keys():
            told += differences(sample[name], found[name], f"{path}/{name}")
        return told
    if isinstance(sample, list) and isinstance(found, list):
        if len(sample) != len(found):
            return [f"{path} has {len(found)} entries for {len(sample)}"]
        return [
            told
            for at, pair in enumerate(zip(sample, found, strict=True))
            for told in differences(*pair, f"{path}/{at}")
        ]
    if type(sample) is not type(found):
        return [f"{path} is {type(found).__name__}, not {type(sample).__name__}"]
    if isinstance(sample, str) and form(sample) != form(found):
        return [f"{path} is {found!r}, documented as {sample!r}"]
    return []


def form(text: str) -> list[str]:
    """The parts of a text; moments, ids and amounts stand for their kind."""
    if _MOMENT.fullmatch(text):
        return ["moment", str(len(text))]
    if re.fullmatch(r"-?\d+\.\d+", text):
        return ["amount", str(len(text.rpartition(".")[2]))]
    return [f"id of {len(part)}" if _ID.fullmatch(part) else part for part in _SEPARATORS.split(text)]
