"""How `openapi.yaml` is written: its head, and names for sets of values that several shapes share."""

from emailcheck.common.text.check_costs import UNKNOWN_COSTS

API_DESCRIPTION = {
    "TITLE": "EmailCheck API",
    "DESCRIPTION": (
        "Validate e-mail addresses and read the verdicts with their evidence. "
        "Every call under `/api/` also answers under `/api/v1/`; programs read `/api/v1/openapi.json`. "
        f"A verdict costs 1 credit. {UNKNOWN_COSTS}"
    ),
    "PREPROCESSING_HOOKS": ["emailcheck.common.api.schema.drop_duplicate_paths"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "emailcheck.contract.marks.mark_calls",
        "emailcheck.common.api.schema.describe_rate_limits",
        "emailcheck.common.api.schema.describe_idempotency",
    ],
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/",
    "ENUM_NAME_OVERRIDES": {
        "AccountStatusEnum": "accounts.users.models.Status",
        "BlogCategoryEnum": "emailcheck.public.blog.posts.CATEGORY_CHOICES",
        "ChecksEnum": "validation.results.serializers.CHECKS",
        "CycleEnum": "billing.catalogue.plans.Cycle",
        "LotKindEnum": "billing.ledger.models.LotKind",
        "PlanEnum": "billing.catalogue.plans.Plan",
        "InvoiceStatusEnum": "billing.invoices.wording.InvoiceStatus",
        "MoneyStatusEnum": "billing.reports.payment_list.ShownState",
        "RepairKindEnum": "validation.results.serializers.REPAIR_KINDS",
        "PurchaseKindEnum": "billing.payments.models.PurchaseKind",
        "CategoryEnum": "validation.results.models.Category",
        "BatchStatusEnum": "validation.batches.models.BatchStatus",
        "BatchTypeEnum": "validation.batches.models.BatchType",
        "JobStatusEnum": "adminpanel.jobs.models.JobStatus",
        "KeptDaysEnum": "accounts.organisations.models.RetentionDays",
        "OrganisationRoleEnum": "accounts.organisations.roles.OrganisationRole",
        "AccountRoleEnum": "accounts.users.models.Role",
        "StuckKindEnum": "adminpanel.system.stuck_work.KINDS",
        "DealStageEnum": "crm.deals.models.Stage",
        "ContractStatusEnum": "crm.contracts.models.ContractStatus",
        "MessageStateEnum": "crm.messages.models.MessageState",
        "SubscriberStateEnum": "crm.messages.models.SubscriberState",
        "PlanRequestStatusEnum": "quotes.quotes.models.PlanStatus",
        "QuoteStatusEnum": "quotes.quotes.models.QuoteStatus",
        "QuoteRequestStatusEnum": "quotes.requests.models.RequestStatus",
        "HealthStatusEnum": "adminpanel.monitoring.overview.serializers.HEALTH",
        "PartStatusEnum": "adminpanel.monitoring.overview.serializers.PART_STATES",
        "ServiceStatusEnum": "adminpanel.monitoring.status.serializers.PUBLIC_STATES",
        "IncidentKindEnum": "adminpanel.monitoring.incidents.models.IncidentKind",
        "RouteStateEnum": "adminpanel.monitoring.egress.models.RouteState",
        "ServiceEnum": "adminpanel.monitoring.targets.Service",
        "SeverityEnum": "adminpanel.monitoring.alerts.models.Severity",
        "ReferralStateEnum": "billing.referrals.models.ReferralState",
        "WebhookEventEnum": "validation.webhooks.models.WebhookEvent",
        "DeliveryStatusEnum": "validation.webhooks.models.DeliveryStatus",
    },
}
