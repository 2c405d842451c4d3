"""How `openapi.yaml` is written: its head, and names for sets of values that several shapes share."""

from emailcheck.common.check_costs import UNKNOWN_COSTS

API_DESCRIPTION = {
    "TITLE": "EmailCheck API",
    "DESCRIPTION": (
        "Validate e-mail addresses and read the verdicts with their evidence. "
        "Every call under `/api/` also answers under `/api/v1/`. "
        f"A verdict costs 1 credit. {UNKNOWN_COSTS}"
    ),
    "PREPROCESSING_HOOKS": ["emailcheck.common.schema.without_second_names"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "emailcheck.common.schema.with_limits",
        "emailcheck.common.schema.with_keys",
        "emailcheck.common.schema.with_idempotency",
    ],
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/",
    "ENUM_NAME_OVERRIDES": {
        "AccountStatusEnum": "accounts.models.Status",
        "BlogCategoryEnum": "emailcheck.public.posts.CATEGORY_CHOICES",
        "ChecksEnum": "validation.serializers.CHECKS",
        "CycleEnum": "billing.models.Cycle",
        "LotKindEnum": "billing.models.LotKind",
        "PlanEnum": "billing.models.Plan",
        "InvoiceStatusEnum": "billing.invoice_words.InvoiceStatus",
        "MoneyStatusEnum": "billing.staff_payments.Shown",
        "PurchaseKindEnum": "billing.models.PurchaseKind",
        "CategoryEnum": "validation.models.Category",
        "BatchStatusEnum": "validation.models.BatchStatus",
        "BatchTypeEnum": "validation.models.BatchType",
        "JobStatusEnum": "adminpanel.models.JobStatus",
        "KeptDaysEnum": "accounts.models.KeptDays",
        "StuckKindEnum": "adminpanel.stuck.KINDS",
        "DealStageEnum": "crm.models.Stage",
        "ContractStatusEnum": "crm.models.ContractStatus",
        "MessageStateEnum": "crm.models.MessageState",
        "SubscriberStateEnum": "crm.models.SubscriberState",
        "PlanRequestStatusEnum": "quotes.models.PlanStatus",
        "QuoteStatusEnum": "quotes.models.QuoteStatus",
        "QuoteRequestStatusEnum": "quotes.models.RequestStatus",
        "HealthStatusEnum": "adminpanel.monitoring.serializers.HEALTH",
        "PartStatusEnum": "adminpanel.monitoring.serializers.PART_STATES",
        "ServiceStatusEnum": "adminpanel.monitoring.serializers.PUBLIC_STATES",
        "IncidentKindEnum": "adminpanel.monitoring.models.IncidentKind",
        "RouteStateEnum": "adminpanel.monitoring.models.RouteState",
        "ServiceEnum": "adminpanel.monitoring.models.Service",
        "SeverityEnum": "adminpanel.monitoring.models.Severity",
        "ReferralStateEnum": "billing.models.ReferralState",
        "WebhookEventEnum": "validation.webhook_models.WebhookEvent",
        "DeliveryStatusEnum": "validation.webhook_models.DeliveryStatus",
    },
}
