"""The mail about alerts."""

from emailcheck.common.outbound import mail

mail.register_mail(
    "staff_alert",
    example={
        "severity": "critical",
        "title": "Disk of web-1 is nearly used up",
        "message": "disk at 96% for 3 minutes (thresholds 80% and 95%)",
        "raised_at": "20 November 2026, 09:30 UTC",
        "cleared_at": "",
        "link": mail.build_link("/admin?tab=monitoring"),
    },
)
