"""Which rows here are about people."""

from adminpanel.monitoring.measurements.models import RequestFailure
from emailcheck.common.personal import Table

TABLES = (
    Table(
        RequestFailure,
        "user_id",
        left_out="Which calls failed by our own fault in the last week; they hold nothing of what was sent.",
    ),
)
