"""Shapes of the previews of mails."""

from typing import Any

from rest_framework import serializers

from emailcheck.common.api.serializers import Shape
from emailcheck.common.outbound import mail


class EmailSerializer(Shape):
    name = serializers.CharField()
    subject = serializers.CharField()
    always_sent = serializers.BooleanField()


class EmailsSerializer(Shape):
    emails = EmailSerializer(many=True)


class EmailPreviewSerializer(Shape):
    subject = serializers.CharField()
    html = serializers.CharField()
    text = serializers.CharField()


def present_email(kind: mail.MailKind) -> dict[str, Any]:
    written = mail.render_example(kind.name)
    assert written is not None
    return {"name": kind.name, "subject": written.subject, "always_sent": kind.always_sent}
