"""An upload before its start, as the API returns it."""

from collections.abc import Sequence

from billing.subscriptions import welcome_credits
from billing.subscriptions.welcome_credits import Checks
from emailcheck.common.text import check_costs
from validation.batches.presentation import present_estimate
from validation.batches.progress.estimates import Estimate, estimate_duration
from validation.batches.uploads.models import Upload
from validation.results.presentation import Json


def estimate_upload(upload: Upload) -> Estimate | None:
    """The estimate for a file before its start."""
    organisation = upload.organisation
    asks = (
        not organisation.in_test_mode
        and welcome_credits.choose_checks(organisation, cost=upload.possible) == Checks.FULL
    )
    return estimate_duration(upload.operators) if asks else None


def present_draft(upload: Upload, *, credits: int, providers: Sequence[str]) -> Json:
    """A file before its start. `credits`: what its owner can spend. `providers`: who could receive its addresses."""
    shape = upload.shape
    checks = welcome_credits.choose_checks(upload.organisation, cost=upload.possible)
    chosen = {"name": shape["sheet"] or "", "rows": shape["rows"], "columns": shape["columns"]}
    sheets = {sheet["name"]: sheet for sheet in (chosen, *shape["others"])}
    return {
        "upload_id": upload.public_id,
        "filename": upload.filename,
        "expires_at": upload.expires_at,
        "type": shape["kind"],
        "sheets": [_present_sheet(sheets[name]) for name in shape["sheets"] or [""]],
        "sheet": shape["sheet"] or "",
        "email_column": str(shape["email_column"]),
        **{name: shape[name] for name in ("has_header", "encoding", "delimiter")},
        "chosen": [name for name, value in upload.options.items() if value is not None],
        **{name: getattr(upload, name) for name in ("rows", "unique", "duplicates", "blank", "bad_syntax")},
        "cost": upload.possible,
        "credits": credits,
        "unknown_costs": check_costs.FULL if checks == Checks.FULL else check_costs.BASIC,
        "checks": checks,
        "welcome_credits": welcome_credits.load_welcome(upload.organisation).left,
        "max_credits": upload.max_credits,
        "retention_days": upload.retention_days,
        "use_providers": upload.use_providers,
        "providers": list(providers),
        "estimate": present_estimate(estimate_upload(upload)),
    }


def _present_sheet(sheet: Json) -> Json:
    names = ("name", "samples", "looks_like_email")
    columns = [{name: column[name] for name in names} for column in sheet["columns"]]
    return {"name": sheet["name"], "rows": sheet["rows"], "columns": columns}
