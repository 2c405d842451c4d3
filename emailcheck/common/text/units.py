"""Sizes and times as people write them."""


def format_bytes(octets: int) -> str:
    """Such as `512 B`, `3.4 MB`."""
    size = float(octets)
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1024:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TB"


def format_duration(seconds: float) -> str:
    """The two largest units: `45 s`, `2 min 5 s`, `3 h 12 min`, `4 d 2 h`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"


def format_share(part: int, total: int) -> str:
    """A share in percent with one decimal, cut off: `99.9%` of almost all, and never `0.0%` of what is there."""
    tenths = 1_000 * part // total if total else 0
    return "<0.1%" if part and not tenths else f"{tenths / 10:.1f}%"
