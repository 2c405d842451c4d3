"""Shapes of the validation calls: what may come in, and what the schema says goes out."""

from typing import Any

from rest_framework import serializers

from accounts.models import KeptDays
from billing.welcome import Checks
from emailcheck.common.text import storable
from validation.listfiles import DELIMITERS, Kind
from validation.models import BatchStatus, BatchType, Category
from validation.running_serializers import EstimateSerializer, WaitingForSerializer

Shape = serializers.Serializer[dict[str, Any]]
CHECKS = [checks.value for checks in Checks]


class ChecksField(serializers.ChoiceField):
    """Which checks were made, or will be."""

    def __init__(self, help_text: str = "`full`, or `basic`: neither mailbox, catch-all nor disposable.") -> None:
        super().__init__(choices=CHECKS, help_text=help_text)


class ProvidersSerializer(Shape):
    """Whether outside providers may see what is handed in."""

    use_providers = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="False keeps the addresses in-house; left out, as the account says.",
    )


class AddressField(serializers.CharField):
    """What may be an address: any text up to 1,000 characters. What no database keeps is marked, and judged as such."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=False, max_length=1_000, **options)

    def to_internal_value(self, data: Any) -> str:
        return storable(super().to_internal_value(data))


class AddressSerializer(Shape):
    email = AddressField()


class SingleSerializer(AddressSerializer, ProvidersSerializer):
    """An address to check."""


class LinesField(serializers.ListField):
    """Lines of text, refused at the first that is none: a list may hold a million."""

    def run_child_validation(self, data: list[Any]) -> list[Any]:
        for index, line in enumerate(data):
            if not isinstance(line, str):
                raise serializers.ValidationError({str(index): ["Not a valid string."]})
            try:
                self.child.run_validation(line)
            except serializers.ValidationError as error:
                raise serializers.ValidationError({str(index): error.detail}) from error
        return data


class MaxCreditsSerializer(Shape):
    """How much of a list is checked."""

    max_credits = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=100_000_000,
        help_text="Check the first addresses that so many credits pay for, and leave the rest out.",
    )


class BulkSerializer(ProvidersSerializer, MaxCreditsSerializer):
    emails = LinesField(
        child=AddressField(),
        max_length=1_000_000,
    )


class ChoicesSerializer(ProvidersSerializer, MaxCreditsSerializer):
    """How a file is to be read and kept; what is left out is guessed, or as the account says."""

    sheet = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=200, help_text="Name or number of a worksheet."
    )
    email_column = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=200, help_text="Header or number, from 1."
    )
    has_header = serializers.BooleanField(required=False, allow_null=True, default=None)
    encoding = serializers.CharField(
        required=False, allow_null=True, default=None, max_length=40, help_text="A name such as utf-8 or cp1252."
    )
    delimiter = serializers.ChoiceField(
        choices=[*DELIMITERS, ""], required=False, allow_null=True, default=None, help_text="Empty: one address a line."
    )
    retention_days = serializers.ChoiceField(choices=KeptDays.choices, required=False, allow_null=True, default=None)


class InspectSerializer(Shape):
    file = serializers.FileField(allow_empty_file=True)


class UploadSerializer(ChoicesSerializer, InspectSerializer):
    """A file with choices."""


class ColumnSerializer(Shape):
    name = serializers.CharField()
    samples = serializers.ListField(child=serializers.CharField(), help_text="Up to five values that are not blank.")
    looks_like_email = serializers.FloatField(min_value=0, max_value=1)


class SheetSerializer(Shape):
    name = serializers.CharField(help_text="Empty for a text file.")
    rows = serializers.IntegerField(allow_null=True, help_text="Data rows; null where nobody looked.")
    columns = ColumnSerializer(many=True)


class DraftSerializer(Shape):
    """A file before its start: how it is understood, what it holds, and the most it can cost."""

    upload_id = serializers.CharField()
    filename = serializers.CharField()
    expires_at = serializers.DateTimeField()
    type = serializers.ChoiceField(choices=[kind.value for kind in Kind])
    sheets = SheetSerializer(many=True)
    sheet = serializers.CharField(help_text="Empty for a text file.")
    email_column = serializers.CharField(help_text="Number of the column, from 1.")
    has_header = serializers.BooleanField()
    encoding = serializers.CharField(allow_null=True)
    delimiter = serializers.CharField(allow_null=True, allow_blank=True)
    chosen = serializers.ListField(child=serializers.CharField(), help_text="Which of these were chosen, not guessed.")
    rows = serializers.IntegerField(help_text="Data rows, blank ones included.")
    unique = serializers.IntegerField(help_text="Addresses that will be checked.")
    duplicates = serializers.IntegerField()
    blank = serializers.IntegerField()
    bad_syntax = serializers.IntegerField(help_text="Unique ones whose syntax is impossible; they cost nothing.")
    cost = serializers.IntegerField(help_text="The most credits it can cost; these are held from start to end.")
    credits = serializers.IntegerField(help_text="Spendable credits of the account now.")
    unknown_costs = serializers.CharField(help_text="What its checks cost, and what those do that stay unknown.")
    checks = ChecksField("Which checks a start would run now.")
    welcome_credits = serializers.IntegerField(help_text="Of these, full checks of a new account.")
    max_credits = serializers.IntegerField(allow_null=True, help_text="What the list was cut to.")
    retention_days = serializers.IntegerField(allow_null=True)
    use_providers = serializers.BooleanField(allow_null=True)
    providers = serializers.ListField(
        child=serializers.CharField(), help_text="Outside providers that could see addresses."
    )
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")


class StartedSerializer(Shape):
    batch_id = serializers.CharField()
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    held = serializers.IntegerField(help_text="Credits that were held at the start.")
    checks = ChecksField()
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")


class DetailsSerializer(Shape):
    domain = serializers.CharField()
    category_reason = serializers.CharField(help_text="One plain sentence that says why.")


Fields = dict[str, serializers.Field[Any, Any, Any, Any]]


def shape(name: str, describes: str, fields: Fields) -> type[Shape]:
    """A serializer whose fields may carry the names of a serializer's own members, such as `is_valid`."""
    return type(name, (Shape,), {**fields, "__doc__": describes})


_ROW: Fields = {
    "id": serializers.IntegerField(),
    "row": serializers.IntegerField(help_text="Row of the list, from 1; 0 for a single check."),
    "email": serializers.CharField(),
    "category": serializers.ChoiceField(choices=Category.choices),
    "reason": serializers.CharField(help_text="Why it is in its category, for programs."),
    "is_valid": serializers.BooleanField(),
    "valid": serializers.BooleanField(help_text="Equals is_valid."),
    "confidence_score": serializers.FloatField(min_value=0, max_value=1, help_text="Probability of safe delivery."),
    "safe_to_send": serializers.BooleanField(help_text="Valid, or undecided with a confidence above 0.6."),
    "label": serializers.ChoiceField(choices=["Safe to send", "Risky to send", "Do not send"]),
    "syntax_valid": serializers.BooleanField(),
    "domain_valid": serializers.BooleanField(allow_null=True, help_text="Null: not found out, as in the fields below."),
    "smtp_valid": serializers.BooleanField(allow_null=True, help_text="Whether the mail server takes mail for it."),
    "is_disposable": serializers.BooleanField(allow_null=True),
    "disposable": serializers.BooleanField(allow_null=True, help_text="Equals is_disposable."),
    "is_catch_all": serializers.BooleanField(allow_null=True),
    "is_spam_trap": serializers.BooleanField(allow_null=True, help_text="Null: not checked, no list is configured."),
    "free_email": serializers.BooleanField(help_text="At a provider of free mailboxes."),
    "validation_type": serializers.CharField(),
    "checks": ChecksField(),
    "created_at": serializers.DateTimeField(),
    "validated_at": serializers.DateTimeField(help_text="Equals created_at."),
    "rechecked_at": serializers.DateTimeField(allow_null=True, help_text="Set where this is a second verdict."),
    "details": DetailsSerializer(),
}
_CHECK: Fields = {
    "check": serializers.CharField(help_text="Its name, such as `mailbox`."),
    "outcome": serializers.ChoiceField(choices=["pass", "fail", "warn", "unknown", "skipped"]),
    "detail": serializers.CharField(help_text="What was found, in words."),
    "source": serializers.CharField(help_text="Who was asked."),
    "time_ms": serializers.FloatField(allow_null=True, help_text="How long it took, in milliseconds."),
    "expires_at": serializers.FloatField(allow_null=True, help_text="Until when it is remembered: seconds since 1970."),
}
ResultRowSerializer = shape("ResultRowSerializer", "A verdict in a list.", _ROW)
CheckSerializer = shape("CheckSerializer", "One named check of the evidence.", _CHECK)
_EVIDENCE: Fields = {
    "sentence": serializers.CharField(help_text="The verdict in one plain sentence."),
    "did_you_mean": serializers.CharField(allow_null=True, help_text="The address that was probably meant."),
    "flags": serializers.ListField(child=serializers.CharField(), help_text="Remarks that change no verdict."),
    "mx_records": serializers.ListField(
        child=serializers.CharField(), help_text="Mail servers, the first choice first."
    ),
    "evidence": CheckSerializer(many=True),
    "transcript": serializers.ListField(
        child=serializers.CharField(), help_text="The conversation with the mail server, line by line."
    ),
    "retry_after": serializers.FloatField(
        allow_null=True, help_text="In how many seconds it is worth asking again, where it was not decided now."
    ),
    "credits_used": serializers.IntegerField(),
    "validation_provider": serializers.CharField(),
    "shared_with": serializers.ListField(child=serializers.CharField()),
}
ResultSerializer = shape("ResultSerializer", "A verdict with its evidence.", {**_ROW, **_EVIDENCE})
_OF_ACCOUNTS = {
    "id",
    "row",
    "valid",
    "disposable",
    "validation_type",
    "validated_at",
    "rechecked_at",
    "credits_used",
    "validation_provider",
    "shared_with",
}
TriedSerializer = shape(
    "TriedSerializer",
    "A verdict with its evidence, for a visitor; it is not kept.",
    {name: field for name, field in {**_ROW, **_EVIDENCE}.items() if name not in _OF_ACCOUNTS}
    | {"remaining": serializers.IntegerField(help_text="Tries left in this hour.")},
)


class CountsSerializer(Shape):
    valid_count = serializers.IntegerField()
    invalid_count = serializers.IntegerField()
    unknown_count = serializers.IntegerField()
    catch_all_count = serializers.IntegerField()
    disposable_count = serializers.IntegerField()
    spam_trap_count = serializers.IntegerField()
    safe_to_send_count = serializers.IntegerField()
    risky_count = serializers.IntegerField()


class ListAnswerSerializer(CountsSerializer):
    """A list that was handed in: finished at once (200), or queued (202, without results)."""

    batch_id = serializers.CharField()
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    filename = serializers.CharField(allow_null=True)
    total_processed = serializers.IntegerField(help_text="Addresses that have their verdict.")
    total_emails = serializers.IntegerField(help_text="Addresses of the list, each once.")
    duplicates_removed = serializers.IntegerField()
    credits_used = serializers.IntegerField()
    checks = ChecksField()
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")
    results = ResultRowSerializer(many=True)


class BatchSerializer(CountsSerializer):
    """A batch with its counts."""

    id = serializers.CharField()
    batch_type = serializers.ChoiceField(choices=BatchType.choices)
    filename = serializers.CharField(allow_null=True)
    processing_status = serializers.ChoiceField(choices=BatchStatus.choices)
    progress_percentage = serializers.FloatField()
    total_emails = serializers.IntegerField()
    processed_emails = serializers.IntegerField()
    duplicates_removed = serializers.IntegerField()
    credits_used = serializers.IntegerField()
    checks = ChecksField()
    created_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)
    rechecked_at = serializers.DateTimeField(allow_null=True, help_text="When unknown rows were taken up again.")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="When the results will be removed.")
    expired_at = serializers.DateTimeField(allow_null=True, help_text="When the results were removed.")
    error = serializers.CharField(allow_null=True)


class BatchDetailSerializer(BatchSerializer):
    """A batch with a page of its results."""

    not_in_plan_count = serializers.IntegerField(
        help_text="Addresses of a finished list that its basic checks left open."
    )
    in_full_cost = serializers.IntegerField(
        allow_null=True, help_text="The most it costs to check these in full; null where that is not to be had."
    )
    checking_in_full = serializers.BooleanField(help_text="They are being checked in full.")
    emails = ResultRowSerializer(many=True)
    page = serializers.IntegerField()
    page_size = serializers.IntegerField()
    total = serializers.IntegerField(help_text="Results there are so far.")
    next = serializers.IntegerField(allow_null=True, help_text="Number of the next page.")


class BatchStatusSerializer(CountsSerializer):
    """How far a batch is."""

    batch_id = serializers.CharField()
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    processing_status = serializers.ChoiceField(choices=BatchStatus.choices)
    progress_percentage = serializers.FloatField()
    total_emails = serializers.IntegerField()
    processed_emails = serializers.IntegerField()
    rate = serializers.FloatField(allow_null=True, help_text="Addresses a second.")
    seconds_left = serializers.IntegerField(allow_null=True)
    waiting = serializers.IntegerField(help_text="Addresses that wait to be asked about, or asked about again.")
    waiting_until = serializers.DateTimeField(allow_null=True, help_text="When the last of them is due.")
    waiting_for = WaitingForSerializer(many=True, help_text="What they wait for, most addresses first.")
    checks = ChecksField()
    rechecking = serializers.BooleanField(help_text="The unknown addresses are being checked a second time.")
    checking_in_full = serializers.BooleanField(help_text="What basic checks left open is being checked in full.")
    error = serializers.CharField(allow_null=True, help_text="Why it failed or pauses.")


class BatchDeletedSerializer(Shape):
    message = serializers.CharField()


class BatchUpdateSerializer(Shape):
    name = serializers.CharField(required=False, max_length=255)
    retention_days = serializers.ChoiceField(choices=KeptDays.choices, required=False)


class BatchKeptSerializer(Shape):
    id = serializers.CharField()
    filename = serializers.CharField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)


class FlatValidationSerializer(Shape):
    id = serializers.IntegerField()
    email = serializers.CharField()
    valid = serializers.BooleanField()
    validated_at = serializers.DateTimeField()


class HistorySerializer(Shape):
    """The dashboard's view of the history, and the flat one of the public documentation."""

    batches = BatchSerializer(many=True)
    batches_total = serializers.IntegerField()
    batches_next = serializers.CharField(allow_null=True)
    individual_validations = ResultRowSerializer(many=True)
    individual_total = serializers.IntegerField()
    individual_next = serializers.CharField(allow_null=True)
    validations = FlatValidationSerializer(many=True)
    total = serializers.IntegerField()
    page = serializers.IntegerField()


class ResultsPageSerializer(Shape):
    results = ResultRowSerializer(many=True)
    total = serializers.IntegerField(help_text="Results that match.")
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


class ClearedSerializer(serializers.Serializer[dict[str, Any]]):
    message = serializers.CharField()
    deleted_count = serializers.IntegerField(help_text="Batches and single checks.")
