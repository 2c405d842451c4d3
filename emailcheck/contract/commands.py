"""Calls as commands."""

import json
from typing import Any

from django.conf import settings

KEY = "$EMAILCHECK_KEY"


def build_command(method: str, path: str, example: dict[str, Any], *, needs_key: bool, retries: int = 0) -> str:
    """The call as a curl command; with `retries` curl waits as `Retry-After` says, and sends it again so often."""
    address = settings.SITE_URL + path.format(**example.get("path", {}))
    if query := example.get("query"):
        address = f'"{address}?{"&".join(f"{name}={value}" for name, value in query.items())}"'
    patience = f"--retry {retries} " if retries else ""
    lines = [f"curl {patience}{'' if method in {'GET', 'POST'} else f'-X {method} '}{address}"]
    if needs_key:
        lines.append(f'-H "Authorization: Bearer {KEY}"')
    if "body" in example:
        lines += ['-H "Content-Type: application/json"', f"-d '{json.dumps(example['body'])}'"]
    elif method == "POST":
        lines += [f"-F {name}={value}" for name, value in example.get("form", {}).items()] or ["-X POST"]
    if "save" in example:
        lines.append(f"-o {example['save']}")
    return " \\\n  ".join(lines)
