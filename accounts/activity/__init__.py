"""What happened on an account, and who of the staff did it.

Every app writes through `audit_log.record`, in the transaction of the change; nothing else writes an
`Activity`. `actors` freezes the name and address of a member of the staff into the row (`StaffAct`), so
that it can still be read when that account is gone. The customer reads the log with `api`, staff read it
in the dashboard, and the owners and admins of an organisation theirs (`organisation_audit`), whose
`targets` say whom a line is about.
"""

__all__ = ["actors", "api", "audit_log", "models", "organisation_audit", "serializers", "targets"]
