"""Alerts: raised when a condition holds, mailed to staff, cleared when it ends."""

from django.db import transaction
from django.utils import timezone

from accounts.users.models import Role, User
from adminpanel.monitoring.alerts.conditions import Condition, list_conditions
from adminpanel.monitoring.alerts.models import Alert, Severity
from emailcheck.common.outbound import mail

MAX_LISTED = 10
_WEIGHT = {Severity.CRITICAL: 0, Severity.WARNING: 1, Severity.INFO: 2}


def update_alerts() -> None:
    """Raise and clear what the figures of now ask for."""
    seen = {condition.key: condition for condition in list_conditions()}
    for condition in seen.values():
        apply_condition(condition)
    for alert in list_open_alerts():
        if alert.key not in seen:
            _clear_alert(alert)


@transaction.atomic
def apply_condition(condition: Condition) -> None:
    """Bring the alert of a condition in line with it; harmless when it is."""
    alert = Alert.objects.select_for_update().filter(key=condition.key, cleared_at=None).first()
    severity = condition.severity
    if alert is None and severity is not None:
        _raise_alert(condition, severity)
    elif alert is not None and severity is not None and _WEIGHT[severity] < _WEIGHT[Severity(alert.severity)]:
        _raise_severity(alert, condition, severity)
    elif alert is not None and condition.is_over:
        _clear_alert(alert)


def list_open_alerts() -> list[Alert]:
    """What is wrong now: the gravest first, of those the newest."""
    found = Alert.objects.filter(cleared_at=None).order_by("-raised_at")
    return sorted(found, key=lambda alert: _WEIGHT[Severity(alert.severity)])


def _raise_alert(condition: Condition, severity: Severity) -> None:
    alert, is_new = Alert.objects.get_or_create(
        key=condition.key,
        cleared_at=None,
        defaults={
            "severity": severity,
            "category": condition.category,
            "title": condition.title,
            "message": condition.describe(condition.readings[0]),
            "raised_at": timezone.now(),
        },
    )
    if is_new:
        _mail_staff(alert, "raised")


def _raise_severity(alert: Alert, condition: Condition, severity: Severity) -> None:
    alert.severity, alert.message = severity, condition.describe(condition.readings[0])
    alert.save(update_fields=["severity", "message"])
    _mail_staff(alert, severity)


@transaction.atomic
def _clear_alert(alert: Alert) -> None:
    if Alert.objects.filter(pk=alert.pk, cleared_at=None).update(cleared_at=timezone.now()):
        alert.refresh_from_db()
        _mail_staff(alert, "cleared")


def _mail_staff(alert: Alert, step: str) -> None:
    """To all staff, once for each step of an alert."""
    context = {
        "severity": alert.severity,
        "title": alert.title if alert.cleared_at is None else f"{alert.title}: over",
        "message": alert.message,
        "raised_at": f"{alert.raised_at:%-d %B %Y, %H:%M} UTC",
        "cleared_at": f"{alert.cleared_at:%-d %B %Y, %H:%M} UTC" if alert.cleared_at else "",
        "link": mail.build_link("/admin?tab=monitoring"),
    }
    for staff in User.objects.filter(role=Role.ADMIN, is_active=True):
        if staff.is_staff:
            key = f"staff_alert:{alert.pk}:{step}:{staff.pk}"
            mail.send_mail(name="staff_alert", to=staff.email, context=context, key=key)
