"""A device in words, from the user agent of its browser."""

import re
from typing import Final

# The first that matches: browsers name those they descend from too.
_BROWSERS: Final = (
    (r"Edg(e|A|iOS)?/", "Edge"),
    (r"OPR/|Opera", "Opera"),
    (r"Vivaldi/", "Vivaldi"),
    (r"SamsungBrowser/", "Samsung Internet"),
    (r"Firefox/|FxiOS/", "Firefox"),
    (r"Chrome/|CriOS/|Chromium/", "Chrome"),
    (r"Safari/", "Safari"),
    (r"curl/", "curl"),
    (r"PostmanRuntime/", "Postman"),
    (r"python-requests|httpx|aiohttp|urllib", "A Python program"),
    (r"okhttp|Java/", "A Java program"),
    (r"Go-http-client", "A Go program"),
    (r"node|undici|axios", "A Node.js program"),
)
_SYSTEMS: Final = (
    (r"iPhone", "iPhone"),
    (r"iPad", "iPad"),
    (r"Android", "Android"),
    (r"CrOS", "ChromeOS"),
    (r"Windows", "Windows"),
    (r"Mac OS X|Macintosh", "macOS"),
    (r"Linux|X11", "Linux"),
)
UNKNOWN_DEVICE = "Unknown device"


def describe_user_agent(user_agent: str) -> str:
    """Such as `Chrome on Linux`; a program by its name; else `Unknown device`."""
    browser, system = _match_name(_BROWSERS, user_agent), _match_name(_SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or UNKNOWN_DEVICE


def _match_name(known: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for pattern, name in known if re.search(pattern, text)), "")
