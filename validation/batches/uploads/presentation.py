"""An upload before its start, as the API returns it."""

from collections.abc import Sequence

from openpyxl.utils import get_column_letter

from billing.subscriptions import welcome_credits
from billing.subscriptions.welcome_credits import Checks
from emailcheck.common.text import check_costs
from validation.batches.intake.choices import parse_choices
from validation.batches.intake.findings import Finding
from validation.batches.presentation import present_estimate
from validation.batches.progress.estimates import Estimate, estimate_duration
from validation.batches.reuse.known import KnownAddresses
from validation.batches.samples.presentation import present_sample
from validation.batches.uploads.files import RepairsPage
from validation.batches.uploads.models import Upload
from validation.engine.repair import RepairKind
from validation.listfiles import Column, ListShape, SheetShape, parse_shape
from validation.results.presentation import Json


def estimate_upload(upload: Upload) -> Estimate | None:
    """The estimate for a file before its start."""
    organisation = upload.organisation
    asks = not organisation.in_test_mode and choose_checks(upload) == Checks.FULL
    return estimate_duration(upload.operators) if asks else None


def choose_checks(upload: Upload) -> Checks:
    """Which checks a start would run now."""
    known = KnownAddresses.from_json(upload.known)
    if known.reused and not known.full:
        return Checks.BASIC
    return welcome_credits.choose_checks(upload.organisation, cost=upload.possible - known.reused)


def present_draft(upload: Upload, *, credits: int, providers: Sequence[str]) -> Json:
    """A file before its start. `credits`: what its owner can spend. `providers`: who could receive its addresses."""
    shape = parse_shape(upload.shape)
    checks, known = choose_checks(upload), KnownAddresses.from_json(upload.known)
    chosen = SheetShape(shape.sheet or "", shape.columns, shape.rows)
    sheets = {sheet.name: sheet for sheet in (chosen, *shape.others)}
    return {
        "upload_id": upload.public_id,
        "filename": upload.filename,
        "pasted": upload.pasted,
        "expires_at": upload.expires_at,
        "type": shape.kind,
        "sheets": [_present_sheet(sheets[name]) for name in shape.sheets or [""]],
        "sheet": shape.sheet or "",
        "email_column": str(shape.email_columns[0]),
        "email_columns": list(map(str, shape.email_columns)),
        **{name: getattr(shape, name) for name in ("has_header", "header_row", "encoding", "delimiter")},
        "chosen": [name for name, value in upload.options.items() if value is not None],
        **{name: getattr(upload, name) for name in ("rows", "unique", "duplicates", "blank", "bad_syntax")},
        **_present_findings(upload, shape),
        "cost": upload.possible - known.reused,
        "credits": credits,
        "unknown_costs": check_costs.FULL if checks == Checks.FULL else check_costs.BASIC,
        "checks": checks,
        "welcome_credits": welcome_credits.load_welcome(upload.organisation).left,
        "max_credits": upload.max_credits,
        "left_out": upload.rest["unique"] if upload.rest else 0,
        "reuse_days": upload.reuse_days,
        "known": _present_known(known),
        "sample": present_sample(upload.organisation, possible=upload.possible, content_hash=upload.content_hash),
        "retention_days": upload.retention_days,
        "use_providers": upload.use_providers,
        "providers": list(providers),
        "estimate": present_estimate(estimate_upload(upload)),
    }


def _present_known(known: KnownAddresses) -> Json | None:
    """The earlier verdicts that a start would take over; None without any."""
    return {name: getattr(known, name) for name in ("count", "first", "last", "same_as")} if known.count else None


_LISTED = ("undo_repairs", "undo_kinds", "suggestion_rows", "undo_suggestions")


def _present_findings(upload: Upload, shape: ListShape) -> Json:
    """What was repaired and suggested, and what the customer made of it."""
    choices, found = parse_choices(upload.repair_choices), upload.findings or {}
    kinds, undone = found.get("kinds", {}), found.get("undone", {})
    by_column = found.get("by_column", [])
    return {
        "columns_found": [
            _present_column_found(shape.columns[column - 1], addresses)
            for column, addresses in zip(shape.email_columns, by_column, strict=False)
        ],
        **{name: getattr(choices, name) for name in ("repair", "use_suggestions")},
        **{
            name: list(getattr(choices, name))
            for name in ("undo_repairs", "undo_kinds", "suggestion_rows", "undo_suggestions")
        },
        "repaired_count": found.get("repaired", 0),
        "repair_kinds": [
            {"kind": kind, "count": kinds.get(kind, 0), "undone": undone.get(kind, 0)}
            for kind in RepairKind
            if kind in kinds or kind in undone
        ],
        "suggestions_count": found.get("suggestions", 0),
        "suggestions_used": found.get("suggestions_used", 0),
        "overfull": [{"row": row, "found": count} for row, count in found.get("overfull", [])],
        "overfull_count": found.get("overfull_cells", 0),
    }


def _present_column_found(column: Column, addresses: int) -> Json:
    return {
        "column": str(column.index),
        "name": column.name,
        "letter": get_column_letter(column.index),
        "addresses": addresses,
    }


def present_repairs(page: RepairsPage) -> Json:
    """A page of repairs and suggestions."""
    return {"repairs": list(map(_present_finding, page.findings)), "next_cursor": page.next_cursor}


def _present_finding(finding: Finding) -> Json:
    return {
        "row": finding.row,
        "column": str(finding.column) if finding.column else None,
        "source": finding.source,
        "addresses": list(finding.addresses),
        "kinds": list(finding.kinds),
        "applied": finding.applied,
    }


def _present_sheet(sheet: SheetShape) -> Json:
    return {"name": sheet.name, "rows": sheet.rows, "columns": list(map(_present_column, sheet.columns))}


def _present_column(column: Column) -> Json:
    names = ("name", "likely", "samples", "looks_like_email")
    return {"letter": get_column_letter(column.index)} | {name: getattr(column, name) for name in names}
