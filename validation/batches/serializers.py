"""Request and response shapes of the calls about lists."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from accounts.organisations.models import RetentionDays
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import StorableField, StrictBooleanField
from validation.batches.models import BatchStatus, BatchType
from validation.batches.progress.serializers import EstimateSerializer, HostReplySerializer, WaitingForSerializer
from validation.batches.reuse.known import DAYS_AT_MOST
from validation.results.serializers import ChecksField, ResultRowSerializer, Shape

_OLD_NAMES = ["id", "processing_status", "processed_emails"]
OPTIONAL: dict[str, Any] = {"required": False, "allow_null": True, "default": None}


class ProvidersSerializer(Shape):
    """Whether outside providers may see what is handed in."""

    use_providers = serializers.BooleanField(
        help_text="False keeps the addresses in-house; left out, as the account says.", **OPTIONAL
    )


class AddressField(StorableField):
    """What may be an address: any text up to 1,000 characters. What no database keeps is marked, and judged as such."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_blank=True, trim_whitespace=False, max_length=1_000, **options)


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
        min_value=1,
        max_value=100_000_000,
        help_text="Check the first addresses that so many credits pay for, and leave the rest out.",
        **OPTIONAL,
    )


class ReuseSerializer(Shape):
    """How old verdicts may be that are taken over, free of charge."""

    reuse_days = serializers.IntegerField(
        min_value=0,
        max_value=DAYS_AT_MOST,
        required=False,
        default=0,
        help_text="Reuse your own verdicts of up to so many days; 0: every address is checked anew.",
    )


class PrivateSerializer(Shape):
    """Who of the organisation sees a list."""

    private = serializers.BooleanField(
        required=False, help_text="Only its maker, owners and admins see it, and keys that they made."
    )


class RepairSerializer(Shape):
    """How texts become addresses."""

    repair = StrictBooleanField(help_text="Take addresses out of names, brackets and the like that stand around them.")
    use_suggestions = StrictBooleanField(help_text="Check what was probably meant in place of likely typing errors.")


class BulkSerializer(ProvidersSerializer, MaxCreditsSerializer, ReuseSerializer, PrivateSerializer, RepairSerializer):
    emails = LinesField(child=AddressField(), max_length=1_000_000)


class OverfullSerializer(Shape):
    """A cell that holds more addresses than are taken."""

    row = serializers.IntegerField()
    found = serializers.IntegerField(help_text="Addresses there are; the first fifty are taken.")


class CountsSerializer(Shape):
    valid_count = serializers.IntegerField()
    invalid_count = serializers.IntegerField()
    unknown_count = serializers.IntegerField()
    catch_all_count = serializers.IntegerField()
    disposable_count = serializers.IntegerField()
    spam_trap_count = serializers.IntegerField()
    safe_to_send_count = serializers.IntegerField()
    risky_count = serializers.IntegerField()


@extend_schema_serializer(deprecate_fields=["total_processed"])
class ListAnswerSerializer(CountsSerializer):
    """A list that was handed in: finished at once (200), or queued (202, without results)."""

    batch_id = serializers.CharField()
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    filename = serializers.CharField(allow_null=True)
    processed = serializers.IntegerField(help_text="Addresses that have their verdict.")
    total_processed = serializers.IntegerField(help_text="Equals `processed`.")
    total_emails = serializers.IntegerField(help_text="Addresses of the list, each once.")
    duplicates_removed = serializers.IntegerField()
    repaired_count = serializers.IntegerField(help_text="Addresses that were taken out of other texts.")
    overfull = OverfullSerializer(many=True, help_text="The first cells of which not all addresses were taken.")
    credits_used = serializers.IntegerField()
    reused_count = serializers.IntegerField(help_text="Addresses that took over an earlier verdict, free of charge.")
    checks = ChecksField()
    estimate = EstimateSerializer(allow_null=True, help_text="Null where nothing can be said.")
    results = ResultRowSerializer(many=True)


@extend_schema_serializer(deprecate_fields=_OLD_NAMES)
class BatchSerializer(CountsSerializer):
    """A batch with its counts."""

    batch_id = serializers.CharField()
    id = serializers.CharField(help_text="Equals `batch_id`.")
    batch_type = serializers.ChoiceField(choices=BatchType.choices)
    filename = serializers.CharField(allow_null=True)
    private = serializers.BooleanField(help_text="Only its maker, owners and admins see it, and keys that they made.")
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    processing_status = serializers.ChoiceField(choices=BatchStatus.choices, help_text="Equals `status`.")
    progress_percentage = serializers.FloatField()
    total_emails = serializers.IntegerField()
    processed = serializers.IntegerField(help_text="Addresses that have their verdict.")
    processed_emails = serializers.IntegerField(help_text="Equals `processed`.")
    duplicates_removed = serializers.IntegerField()
    repaired_count = serializers.IntegerField(help_text="Addresses that were taken out of other texts.")
    credits_used = serializers.IntegerField()
    reused_count = serializers.IntegerField(help_text="Addresses that took over an earlier verdict, free of charge.")
    checks = ChecksField()
    created_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)
    rechecked_at = serializers.DateTimeField(allow_null=True, help_text="When unknown rows were taken up again.")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="When the results will be removed.")
    expired_at = serializers.DateTimeField(allow_null=True, help_text="When the results were removed.")
    error = serializers.CharField(allow_null=True)


class RestSerializer(Shape):
    """Addresses of the file that were left out of the list, and can be checked now."""

    addresses = serializers.IntegerField(allow_null=True, help_text="Null where they were not counted.")
    cost = serializers.IntegerField(allow_null=True, help_text="The most credits it can cost.")
    credits = serializers.IntegerField(help_text="Spendable credits of the account now.")


@extend_schema_serializer(deprecate_fields=[*_OLD_NAMES, "page", "page_size", "total", "next"])
class BatchDetailSerializer(BatchSerializer):
    """A batch with a page of its results."""

    email_columns = serializers.ListField(
        child=serializers.IntegerField(), help_text="Columns of the file that were checked, from 1; none without one."
    )
    role_count = serializers.IntegerField(
        allow_null=True, help_text="Role addresses, such as info@; null while it runs and until they are counted."
    )
    typo_count = serializers.IntegerField(
        allow_null=True, help_text="Addresses with `did_you_mean`; null while it runs and until they are counted."
    )
    overfull = OverfullSerializer(many=True, help_text="The first cells of which not all addresses were taken.")
    may_share = serializers.BooleanField(help_text="Whether the caller may say who sees it.")
    not_in_plan_count = serializers.IntegerField(
        help_text="Addresses of a finished list that its basic checks left open."
    )
    in_full_cost = serializers.IntegerField(
        allow_null=True, help_text="The most it costs to check these in full; null where that is not to be had."
    )
    checking_in_full = serializers.BooleanField(help_text="They are being checked in full.")
    rest = RestSerializer(allow_null=True, help_text="What `max_credits` left out; null: nothing that can be checked.")
    emails = ResultRowSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True, help_text="`cursor` of the next page; null at the end.")
    page = serializers.IntegerField(required=False, help_text="Left out with `limit` or `cursor`.")
    page_size = serializers.IntegerField(required=False, help_text="Left out with `limit` or `cursor`.")
    total = serializers.IntegerField(help_text="Results there are so far.")
    next = serializers.IntegerField(
        required=False, allow_null=True, help_text="Number of the next page. Left out with `limit` or `cursor`."
    )


@extend_schema_serializer(deprecate_fields=["processing_status", "processed_emails"])
class BatchStatusSerializer(CountsSerializer):
    """How far a batch is."""

    batch_id = serializers.CharField()
    filename = serializers.CharField(allow_null=True, help_text="Null for a pasted list.")
    status = serializers.ChoiceField(choices=BatchStatus.choices)
    processing_status = serializers.ChoiceField(choices=BatchStatus.choices, help_text="Equals `status`.")
    progress_percentage = serializers.FloatField()
    total_emails = serializers.IntegerField()
    processed = serializers.IntegerField(help_text="Addresses that have their verdict.")
    processed_emails = serializers.IntegerField(help_text="Equals `processed`.")
    rate = serializers.FloatField(allow_null=True, help_text="Addresses a second.")
    seconds_left = serializers.IntegerField(allow_null=True)
    waiting = serializers.IntegerField(help_text="Addresses that wait to be asked about, or asked about again.")
    waiting_until = serializers.DateTimeField(allow_null=True, help_text="When the last of them is due.")
    waiting_for = WaitingForSerializer(many=True, help_text="What they wait for, most addresses first.")
    checks = ChecksField()
    rechecking = serializers.BooleanField(help_text="The unknown addresses are being checked a second time.")
    checking_in_full = serializers.BooleanField(help_text="What basic checks left open is being checked in full.")
    latest_replies = HostReplySerializer(many=True, help_text="What mail hosts said last, the newest first.")
    error = serializers.CharField(allow_null=True, help_text="Why it failed or pauses.")


class BatchDeletedSerializer(Shape):
    message = serializers.CharField()


class BatchUpdateSerializer(Shape):
    name = serializers.CharField(required=False, max_length=255)
    retention_days = serializers.ChoiceField(choices=RetentionDays.choices, required=False)
    private = serializers.BooleanField(
        required=False,
        help_text="Only its maker, owners and admins see it and may change this; keys that they made see it too.",
    )


class BatchKeptSerializer(Shape):
    id = serializers.CharField()
    filename = serializers.CharField(allow_null=True)
    private = serializers.BooleanField()
    expires_at = serializers.DateTimeField(allow_null=True)


@extend_schema_serializer(deprecate_fields=["page", "page_size"])
class DetailQuerySerializer(Shape):
    """Which of a list's results; without any of these the first 10,000."""

    cursor = pagination.CursorField()
    limit = pagination.LimitField()
    page = serializers.IntegerField(min_value=1, max_value=1_000_000, required=False)
    page_size = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
