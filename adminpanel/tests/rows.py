"""Rows of any table, made up field by field: different where they must be, related where they have to be."""

import uuid
import zlib
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import models
from django.db.models import Model

_BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
# What the constraints of a table ask for, beyond its fields.
_FITTING: dict[str, dict[str, Any]] = {
    "validation.Evidence": {"rows": zlib.compress(b"[]")},
    "validation.Sample": {"verdicts": zlib.compress(b"[]")},
    "validation.Result": {"confidence": 0.5, "details": {}},
    "validation.WebhookDelivery": {"status": "failed", "next_attempt_at": None},
    "adminpanel.Job": {"status": "completed"},
    "crm.Contract": {"ends_on": date(2200, 1, 1)},
    "common.ReleasedFile": {"content": b"x"},
    "crm.Feedback": {"rating": 3},
    "django_q.Schedule": {"schedule_type": "I", "cron": None},
    "django_q.Success": {"success": True},
}


def make_rows(model: type[Model], count: int, *, first: int = 0) -> None:
    """Store `count` rows, numbered from `first`."""
    for number in range(first, first + count):
        _make_row(model, number)


def _make_row(model: type[Model], number: int) -> Model:
    fields: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if isinstance(field, models.AutoField | models.BigAutoField) or field.generated:
            continue
        if field.primary_key and field.has_default():
            continue
        fields[field.attname] = _field_value(field, number)
    fields |= _FITTING.get(model._meta.label, {})
    return model._default_manager.create(**fields)


def _field_value(field: Any, number: int) -> Any:
    if field.is_relation:
        if field.null:
            return (
                None
                if field.unique or field.related_model is field.model
                else _make_row(field.related_model, _far_moment(number)).pk
            )
        return _make_row(field.related_model, _far_moment(number)).pk
    if field.choices and not field.unique:
        values = [value for value, _ in field.flatchoices]
        return values[number % len(values)]
    return _plain_value(field, number)


def _far_moment(number: int) -> int:
    """A number of its own, so that rows made for others do not meet those of the table."""
    return 1_000 + uuid.uuid4().int % 1_000_000_000


def _plain_value(field: Any, number: int) -> Any:
    moment = _BEGIN + timedelta(minutes=number % 500_000)
    for kind, value in (
        (models.EmailField, f"row{number}@x.com"),
        (models.GenericIPAddressField, "10.0.0.1"),
        (models.CharField, f"v{number}"[: field.max_length or 255]),
        (models.TextField, f"text {number}"),
        (models.DateTimeField, moment),
        (models.DateField, (_BEGIN + timedelta(days=number % 50_000)).date()),
        (models.BooleanField, False),
        (models.DecimalField, Decimal("1.00")),
        (models.FloatField, 1.0),
        (models.IntegerField, number % 30_000),
        (models.JSONField, []),
    ):
        if isinstance(field, kind):
            return value
    return field.get_default()
