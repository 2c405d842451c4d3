"""Shapes of the staff calls about accounts, their credits and the deletion of colleagues."""

import re
from typing import Any, ClassVar

from rest_framework import serializers

from accounts.access.models import SignIn
from accounts.activity import actors
from accounts.activity.models import Activity
from accounts.staff.models import ColleagueDeletion
from accounts.users.models import Role, Status, User
from accounts.users.serializers import MembershipSerializer
from adminpanel.customers import services as customers
from adminpanel.customers import users_named_test
from billing.catalogue.plans import Plan
from billing.ledger.bulk_grants import GrantReason
from billing.ledger.models import CreditLot, LotKind
from emailcheck.common.api.serializers import Shape
from validation.batches.models import Batch

_MOST_CREDITS = 1_000_000_000
_REASON = 120
_WHICH_ORGANISATION = "One that the person owns; without it the one that they hold."


class UsersQuerySerializer(Shape):
    page = serializers.IntegerField(min_value=1, max_value=100_000, required=False, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=200, required=False, default=50)
    search = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=254,
        help_text="A part of the name, the address, or the organisation.",
    )
    plan = serializers.ChoiceField(choices=Plan.choices, required=False, default="", allow_blank=True)
    sort = serializers.ChoiceField(choices=customers.Sort.choices, required=False, default=customers.Sort.NEWEST)


class OwnOrganisationSerializer(Shape):
    id = serializers.CharField()
    name = serializers.CharField()

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """As it is: of plain values, fifty times a page."""
        return instance


class OwnedOrganisationSerializer(OwnOrganisationSerializer):
    subscription_plan = serializers.ChoiceField(choices=Plan.choices)
    credits = serializers.IntegerField()
    monthly_usage = serializers.IntegerField()


class StaffUserSerializer(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(choices=Role.choices)
    status = serializers.ChoiceField(choices=Status.choices)
    subscription_plan = serializers.ChoiceField(choices=Plan.choices)
    credits = serializers.IntegerField()
    monthly_usage = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    is_protected = serializers.BooleanField()
    is_colleague = serializers.BooleanField(help_text="Its deletion needs a second administrator.")
    email_verified = serializers.BooleanField()
    own_organisation = OwnOrganisationSerializer(
        allow_null=True, help_text="The one that the person holds: plan and credits are its."
    )
    owned_organisations = OwnedOrganisationSerializer(
        many=True, help_text="All that the person owns, the one that they hold first."
    )


class StaffUsersSerializer(serializers.Serializer[customers.Page]):
    users = StaffUserSerializer(many=True)
    total = serializers.IntegerField()
    page = serializers.IntegerField()


class OneStaffUserSerializer(StaffUserSerializer):
    suspension_reason = serializers.CharField(help_text="Empty while the account is open.")
    mfa = serializers.BooleanField(help_text="Whether signing in asks for a code.")


class LotSerializer(serializers.ModelSerializer[CreditLot]):
    kind = serializers.ChoiceField(choices=LotKind.choices)

    class Meta:
        model = CreditLot
        fields = ("kind", "remaining", "expires_at")


class UserPaymentSerializer(Shape):
    id = serializers.IntegerField()
    organisation = serializers.CharField(help_text="Which paid.")
    amount = serializers.FloatField()
    status = serializers.CharField()
    date = serializers.DateTimeField()


class UserBatchSerializer(serializers.ModelSerializer[Batch]):
    id = serializers.CharField(source="public_id")
    processing_status = serializers.CharField(source="status")

    class Meta:
        model = Batch
        fields = ("id", "total_emails", "processing_status")


class UserSessionSerializer(serializers.ModelSerializer[SignIn]):
    last_used_at = serializers.DateTimeField(source="used_at")

    class Meta:
        model = SignIn
        fields = ("device", "last_used_at")


class StaffMembershipSerializer(MembershipSerializer):
    via = serializers.CharField(
        allow_null=True, help_text="The agency that the person owns, of a client without an owner."
    )
    subscription_plan = serializers.ChoiceField(choices=Plan.choices, allow_null=True)
    credits = serializers.IntegerField(allow_null=True)
    monthly_usage = serializers.IntegerField(allow_null=True)


class UserDetailSerializer(Shape):
    user = OneStaffUserSerializer()
    organisations = StaffMembershipSerializer(
        many=True,
        help_text="Those that the person belongs to, and as what; plan and credits where they or their agency own it.",
    )
    lots = LotSerializer(many=True, help_text="What can be spent, first to expire first.")
    payments = UserPaymentSerializer(many=True)
    batches = UserBatchSerializer(many=True)
    sessions = UserSessionSerializer(many=True)


class LedgerQuerySerializer(Shape):
    organisation = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=40, help_text=_WHICH_ORGANISATION
    )
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=120)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class LedgerEntrySerializer(Shape):
    time = serializers.DateTimeField()
    reason = serializers.CharField()
    reference = serializers.CharField(allow_null=True, help_text="Batch, payment, grant or adjustment.")
    lot = serializers.ChoiceField(choices=LotKind.choices)
    lot_expires_at = serializers.DateTimeField(allow_null=True)
    amount = serializers.IntegerField()
    balance = serializers.IntegerField(help_text="After the movement.")
    staff = serializers.CharField(allow_null=True)


class LedgerSerializer(Shape):
    entries = LedgerEntrySerializer(many=True)
    next = serializers.CharField(allow_null=True)


class UserActivityLineSerializer(Shape):
    time = serializers.DateTimeField()
    action = serializers.CharField()
    ip = serializers.CharField(allow_null=True)
    staff = serializers.CharField(allow_null=True, help_text="Who of the staff did it.")


class UserActivitySerializer(Shape):
    activity = UserActivityLineSerializer(many=True)
    next = serializers.CharField(allow_null=True)


class UserChangesSerializer(Shape):
    organisation = serializers.CharField(
        max_length=40, required=False, help_text=f"Whose credits and plan. {_WHICH_ORGANISATION}"
    )
    credits = serializers.IntegerField(min_value=0, max_value=_MOST_CREDITS, required=False)
    plan = serializers.ChoiceField(choices=Plan.choices, required=False)
    status = serializers.ChoiceField(choices=Status.choices, required=False)
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    reason = serializers.CharField(
        max_length=_REASON, required=False, allow_blank=True, help_text="Why credits change; the customer reads it."
    )
    suspension_reason = serializers.CharField(
        max_length=500,
        required=False,
        allow_blank=True,
        help_text="Why the account is suspended, which `status` does not do without; the customer gets it by mail.",
    )
    credits_read = serializers.IntegerField(required=False, help_text="The balance that was shown.")


class UserDoneSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()


class UserChangedSerializer(UserDoneSerializer):
    user = StaffUserSerializer()


class TestUserSerializer(Shape):
    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    plan = serializers.ChoiceField(choices=Plan.choices)
    last_payment = serializers.DateTimeField(allow_null=True)


class KeptUserSerializer(Shape):
    id = serializers.IntegerField()
    email = serializers.CharField()
    why = serializers.CharField()


class TestUsersSerializer(serializers.Serializer[users_named_test.Preview]):
    preview_id = serializers.CharField()
    delete = TestUserSerializer(many=True)
    kept = KeptUserSerializer(many=True)


class TestUsersQuerySerializer(Shape):
    preview_id = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=8_000, help_text="Names the list that was confirmed."
    )


class DeletedCountSerializer(Shape):
    deleted_count = serializers.IntegerField()


class NewAdminSerializer(Shape):
    email = serializers.EmailField(max_length=254)
    name = serializers.CharField(max_length=150)
    password = serializers.CharField(
        max_length=1024, trim_whitespace=False, required=False, allow_blank=True, default=""
    )
    company_name = serializers.CharField(max_length=255, required=False, allow_blank=True, default="")


class WhoSerializer(Shape):
    id = serializers.IntegerField()
    email = serializers.EmailField()


class AdminMadeSerializer(Shape):
    success = serializers.BooleanField()
    password = serializers.CharField(help_text="Lets in once, within a day, to choose another.")
    user = WhoSerializer()


class WhySerializer(Shape):
    reason = serializers.CharField(max_length=500)


class ViewedUserSerializer(Shape):
    name = serializers.CharField()


class ViewAsSerializer(Shape):
    token = serializers.CharField(help_text="Reads as the user, where calls may be seen; changes nothing.")
    expires_at = serializers.DateTimeField()
    user = ViewedUserSerializer()


class PlainIntegerField(serializers.IntegerField):
    """A whole number, or its ASCII digits: neither `5.0` nor blanks around it nor digits of another script."""

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": "Enter a whole number in plain digits, such as 250."}

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int and not (isinstance(data, str) and re.fullmatch("[0-9]+", data)):
            self.fail("invalid")
        return super().to_internal_value(data)


class GrantPreviewSerializer(Shape):
    user_emails = serializers.ListField(child=serializers.CharField(max_length=320, allow_blank=True))
    credits = PlainIntegerField(min_value=1)


class GrantSerializer(GrantPreviewSerializer):
    reason = serializers.ChoiceField(choices=GrantReason.choices)


class GrantFoundSerializer(Shape):
    email = serializers.EmailField()
    name = serializers.CharField()
    organisation = serializers.CharField(help_text="Which gets the credits: the one that the person holds.")
    other_organisations = serializers.ListField(
        child=serializers.CharField(), help_text="Which the person owns too, and which get none."
    )


class GrantPreviewAnswerSerializer(Shape):
    found = GrantFoundSerializer(many=True)
    not_found = serializers.ListField(child=serializers.CharField())
    duplicates = serializers.ListField(child=serializers.CharField())
    total_credits = serializers.IntegerField()


class GrantAnswerSerializer(Shape):
    granted_count = serializers.IntegerField()
    not_found = serializers.ListField(child=serializers.CharField(), help_text="Unknown, or named twice.")
    message = serializers.CharField()


def present_activity(line: Activity, staff: str | None) -> dict[str, Any]:
    """A line of an account's activity, and who of the staff did it."""
    return {"time": line.created_at, "action": line.action, "ip": line.ip, "staff": staff}


class ColleagueDeletionSerializer(Shape):
    id = serializers.IntegerField()
    user_id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    reason = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    may_confirm = serializers.BooleanField(help_text="Neither asked for by the caller, nor about the caller.")
    may_cancel = serializers.BooleanField(help_text="Not about the caller.")


class ColleagueDeletionsSerializer(Shape):
    deletions = ColleagueDeletionSerializer(many=True)


class ColleagueDeletionDoneSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()


def present_deletion(deletion: ColleagueDeletion, reader: User) -> dict[str, Any]:
    """A request as this administrator sees it."""
    is_own_account = deletion.colleague_id == reader.pk
    values = {
        "id": deletion.pk,
        "user_id": deletion.colleague_id,
        "name": deletion.colleague_name,
        "email": deletion.colleague_email,
        "reason": deletion.reason,
        "asked_by": actors.format_actors([deletion])[0],
        "asked_at": deletion.created_at,
        "expires_at": deletion.expires_at,
        "may_confirm": not is_own_account and deletion.staff_id != reader.pk,
        "may_cancel": not is_own_account,
    }
    return dict(ColleagueDeletionSerializer(values).data)
