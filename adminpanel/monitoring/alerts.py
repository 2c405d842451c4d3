"""Alerts: raised when a condition says so, mailed to staff, cleared when it is over."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Role, User
from adminpanel.monitoring.conditions import Condition, all_now
from adminpanel.monitoring.models import Alert, Severity
from emailcheck.common import mail

LISTED = 10
_WEIGHT = {Severity.CRITICAL: 0, Severity.WARNING: 1, Severity.INFO: 2}


def watch() -> None:
    """Raise and clear what the figures of now ask for."""
    seen = {condition.key: condition for condition in all_now()}
    for condition in seen.values():
        settle(condition)
    for alert in open_alerts():
        if alert.key not in seen:
            _clear(alert)


@transaction.atomic
def settle(condition: Condition) -> None:
    """Bring the alert of a condition in line with it; harmless when it is."""
    alert = Alert.objects.select_for_update().filter(key=condition.key, cleared_at=None).first()
    severity = condition.severity
    if alert is None and severity is not None:
        _raise(condition, severity)
    elif alert is not None and severity is not None and _WEIGHT[severity] < _WEIGHT[Severity(alert.severity)]:
        _worsen(alert, condition, severity)
    elif alert is not None and condition.is_over:
        _clear(alert)


def open_alerts() -> list[Alert]:
    """What is wrong now: the gravest first, of those the newest."""
    found = Alert.objects.filter(cleared_at=None).order_by("-raised_at")
    return sorted(found, key=lambda alert: _WEIGHT[Severity(alert.severity)])


def _raise(condition: Condition, severity: Severity) -> None:
    alert, is_new = Alert.objects.get_or_create(
        key=condition.key,
        cleared_at=None,
        defaults={
            "severity": severity,
            "category": condition.category,
            "title": condition.title,
            "message": condition.told(condition.readings[0]),
            "raised_at": timezone.now(),
        },
    )
    if is_new:
        _mail(alert, "raised")


def _worsen(alert: Alert, condition: Condition, severity: Severity) -> None:
    alert.severity, alert.message = severity, condition.told(condition.readings[0])
    alert.save(update_fields=["severity", "message"])
    _mail(alert, severity)


@transaction.atomic
def _clear(alert: Alert) -> None:
    if Alert.objects.filter(pk=alert.pk, cleared_at=None).update(cleared_at=timezone.now()):
        alert.refresh_from_db()
        _mail(alert, "cleared")


def _mail(alert: Alert, step: str) -> None:
    """To all staff, once for each step of an alert."""
    told = {
        "severity": alert.severity,
        "title": alert.title if alert.cleared_at is None else f"{alert.title}: over",
        "message": alert.message,
        "raised_at": f"{alert.raised_at:%-d %B %Y, %H:%M} UTC",
        "cleared_at": f"{alert.cleared_at:%-d %B %Y, %H:%M} UTC" if alert.cleared_at else "",
        "link": mail.link("/admin?tab=monitoring"),
    }
    for staff in User.objects.filter(role=Role.ADMIN, is_active=True):
        if staff.is_staff:
            key = f"staff_alert:{alert.pk}:{step}:{staff.pk}"
            mail.send(name="staff_alert", to=staff.email, context=told, key=key)
