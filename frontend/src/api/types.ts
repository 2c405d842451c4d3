// The one door to the generated schema: everything else names its types here.
import type { components, paths } from "./schema";

type Schemas = components["schemas"];

export type Category = Schemas["CategoryEnum"];
export type BatchStatus = Schemas["BatchStatusEnum"];
export type User = Schemas["Account"];
/** The organisation in which somebody works, who belongs to it, and who is invited. */
export type Organisation = Schemas["Organisation"];
export type Team = Schemas["Members"];
export type Member = Schemas["Member"];
export type Invited = Schemas["Invitation"];
export type TeamRole = Schemas["Role"];
export type InvitationShown = Schemas["ShownInvitation"];
export type LoginAnswer = Schemas["LoginAnswer"];
/** Names that stand in answers for programs of before; the site reads those that took their place. */
type OldOfRow = "is_valid" | "is_disposable";
type OldOfList = "id" | "processing_status" | "processed_emails" | "total_processed";
type OldOfPages = "page" | "page_size" | "next" | "total";
export type ResultRow = Omit<Schemas["ResultRow"], OldOfRow>;
export type Result = Omit<Schemas["Result"], OldOfRow>;
export type Evidence = Schemas["Check"];
/** What a visitor is answered: a result that nobody keeps. */
export type Tried = Omit<Schemas["Tried"], OldOfRow>;
/** What a stored result, a row of a list and a visitor's try say alike. */
export type Finding = Pick<ResultRow, Extract<keyof ResultRow, keyof Tried>>;
export type Batch = Omit<Schemas["Batch"], OldOfList>;
export type BatchDetail = Omit<Schemas["BatchDetail"], OldOfList | OldOfPages | "emails"> & {
  emails: ResultRow[];
};
export type BatchProgress = Omit<Schemas["BatchStatus"], OldOfList>;
/** So many rows of a list that wait for the same. */
export type WaitingFor = Schemas["WaitingFor"];
export type HostReply = Schemas["HostReply"];
/** How long a list takes at least, as far as that is known. */
export type Estimate = Schemas["Estimate"];
export type BatchCancelled = Schemas["BatchCancelled"];
export type BatchKept = Schemas["BatchKept"];
export type Message = Schemas["BatchDeleted"];
/** A list that was handed in: completed with its results, or queued and without. */
export type ListAnswer = Omit<Schemas["ListAnswer"], OldOfList | "results"> & { results: ResultRow[] };
/** A file before its start. */
export type Draft = Schemas["Draft"];
export type DraftChoices = Partial<Schemas["ChoicesRequest"]>;
/** All choices together, as they are sent. */
export type SentChoices = Schemas["ChoicesRequest"];
/** Addresses that were taken out of longer text, or that were probably mistyped. */
export type RepairsPage = Schemas["RepairsPage"];
export type RepairRow = RepairsPage["repairs"][number];
export type RepairKind = Schemas["RepairKindEnum"];
/** What a free sample says of a list, or whether one may be had. */
export type SampleState = Draft["sample"];
export type Delimiter = NonNullable<DraftChoices["delimiter"]>;
export type KeptDays = NonNullable<DraftChoices["retention_days"]>;
export type Started = Schemas["Started"];
export type ResultsPage = Omit<Schemas["ResultsPage"], "next" | "results"> & { results: ResultRow[] };
/** How many addresses can be sent to and bounce, from the safe ones alone to all that may be sent to. */
export type Reach = Schemas["Reach"];
export type History = Omit<Schemas["History"], OldOfPages | "batches" | "individual_validations"> & {
  batches: Batch[];
  individual_validations: ResultRow[];
};
export type Credits = Schemas["Credits"];
export type Departure = Schemas["Departure"];
export type Overview = Omit<Schemas["Overview"], "current_plan" | "recent_validations"> & {
  recent_validations: ResultRow[];
};
export type Usage = Schemas["Usage"];
export type UsageDay = Schemas["UsageDay"];
export type Advanced = Schemas["Advanced"];
export type ReferralStats = Schemas["ReferralStats"];
export type PaymentState = Schemas["PaymentState"];
export type PendingPayment = Schemas["PendingPayment"];
export type Referral = Schemas["ReferralActivity"];
export type Quote = Schemas["Quote"];
export type StaffQuote = Schemas["StaffQuote"];
export type QuoteRequest = Schemas["QuoteRequest"];
export type PlanRequest = Schemas["PlanRequest"];
export type QuotePreview = Schemas["Preview"];
export type Deal = Schemas["Deal"];
export type DealStage = Deal["stage"];
export type DealEvent = Schemas["DealEvent"];
export type Deals = Schemas["Deals"];
export type StageSum = Schemas["StageSum"];
export type Contract = Schemas["Contract"];
export type Contracts = Schemas["Contracts"];
export type MyRequest = Schemas["MyRequest"];
export type MyPlanRequest = Schemas["MyPlanRequest"];
export type OpenInvoice = Schemas["OpenInvoice"];
export type CustomPlan = Schemas["CustomPlan"];
export type NewCustomPlan = Schemas["NewCustomPlanRequest"];
export type { paths } from "./schema";

interface Answer<Status extends number, T> {
  responses: Record<Status, { content: { "application/json": T } }>;
}
/** The body of a successful answer. */
type Body<Operation> =
  Operation extends Answer<200, infer T> ? T : Operation extends Answer<201, infer T> ? T : never;
type Sent<Operation> = Operation extends { requestBody?: { content: { "application/json": infer T } } }
  ? T
  : never;

export type SecondFactor = Body<paths["/api/user/mfa"]["get"]>;
export type ResetLink = Body<paths["/api/auth/verify-reset-token/{token}"]["get"]>;
export type TotpSetup = Body<paths["/api/user/mfa/totp"]["post"]>;
export type Session = Body<paths["/api/user/sessions"]["get"]>["sessions"][number];
export type ActivityPage = Body<paths["/api/user/activity"]["get"]>;
export type Activity = ActivityPage["activity"][number];
export type ApiCall = Body<paths["/api/user/requests"]["get"]>["requests"][number];
/** When each step of a developer's first hour was first seen. */
export type FirstHour = Schemas["FirstHour"];
export type MendedCall = Schemas["MendedCall"];
export type ApiKey = Body<paths["/api/user/api-keys"]["get"]>["keys"][number];
export type NewApiKey = Body<paths["/api/user/api-keys"]["post"]>;
export type Webhook = Body<paths["/api/user/webhooks"]["get"]>["webhooks"][number];
export type WebhookEvent = Schemas["WebhookEventEnum"];
export type WebhookFields = Sent<paths["/api/user/webhooks/{webhook_id}"]["put"]>;
export type DeliveryPage = Schemas["DeliveryPage"];
export type Delivery = Schemas["Delivery"];
export type DeliveryDetail = Schemas["DeliveryDetail"];
export type Attempt = Schemas["Attempt"];
export type ApiKeyFields = Sent<paths["/api/user/api-keys/{key_id}"]["put"]>;
export type Subscription = Body<paths["/api/subscriptions/status"]["get"]>;
export type PlanChange = Body<paths["/api/subscriptions/plan-change/preview"]["get"]>;
export type PlanCatalogue = Body<paths["/api/plans"]["get"]>;
export type UsageAlerts = Required<Body<paths["/api/user/usage-alerts"]["get"]>>;
export type Invoices = Body<paths["/api/invoices"]["get"]>;
export type Invoice = Invoices["invoices"][number];
export type PaymentMethods = Body<paths["/api/payment-methods"]["get"]>;
export type PaymentMethod = PaymentMethods["payment_methods"][number];
export type StaffPayments = Body<paths["/api/admin/payments"]["get"]>;
export type StaffPayment = StaffPayments["payments"][number];
export type StaffPaymentDetail = Body<paths["/api/admin/payments/{payment_id}"]["get"]>;
export type ListAddresses = Body<paths["/api/admin/users/{user_id}/lists/{batch_id}/addresses"]["post"]>;
export type FoundAddress = Body<paths["/api/admin/users/{user_id}/addresses"]["post"]>["found"][number];
export type InvoiceBuyer = Body<paths["/api/admin/invoices/{invoice_id}/buyer"]["post"]>;
export type Totals = Body<paths["/api/admin/stats"]["get"]>;
export type Revenue = Body<paths["/api/admin/revenue"]["get"]>;
export type ProviderStats = Body<paths["/api/admin/api-credits/stats"]["get"]>;
export type ProviderFigures = ProviderStats["providers"][string];
export type ApiCredits = Body<paths["/api/admin/api-credits"]["get"]>;
export type FeedbackPage = Body<paths["/api/admin/feedback"]["get"]>;
export type Claim = Schemas["Claim"];
export type Emails = Body<paths["/api/admin/emails"]["get"]>;
export type DealDetail = Body<paths["/api/admin/deals/{deal_id}"]["get"]>;
export type Contacts = Body<paths["/api/admin/contacts"]["get"]>;
export type Contact = Contacts["contacts"][number];
export type Subscribers = Body<paths["/api/admin/newsletter"]["get"]>;
export type Backups = Body<paths["/api/monitoring/backups"]["get"]>;
export type Backup = Backups["backups"][number];
export type ApiHealth = Body<paths["/api/admin/api-health"]["get"]>;
export type Health = Body<paths["/api/monitoring/health"]["get"]>;
export type Alerts = Body<paths["/api/monitoring/alerts"]["get"]>;
export type MonitoringMetrics = Body<paths["/api/monitoring/metrics"]["get"]>;
export type MailRoutes = Body<paths["/api/monitoring/routes"]["get"]>;
export type MailRoute = MailRoutes["routes"][number];
export type EgressAddress = MailRoutes["egress"][number];
export type Incident = Body<paths["/api/admin/incidents"]["get"]>["incidents"][number];
export type NewIncident = Sent<paths["/api/admin/incidents"]["post"]>;
export type StaffUsers = Body<paths["/api/admin/users/authenticated"]["get"]>;
export type StaffUser = StaffUsers["users"][number];
export type ColleagueDeletion = Body<paths["/api/admin/colleague-deletions"]["get"]>["deletions"][number];
export type UserDetail = Body<paths["/api/admin/users/{user_id}"]["get"]>;
export type UserChanges = Sent<paths["/api/admin/users/{user_id}"]["put"]>;
export type LedgerEntry = Body<paths["/api/admin/users/{user_id}/ledger"]["get"]>["entries"][number];
export type TestUsers = Body<paths["/api/admin/users/test-users"]["get"]>;
export type AdminMade = Body<paths["/api/admin/create-admin"]["post"]>;
export type Grant = Sent<paths["/api/admin/credits/bulk-grant"]["post"]>;
export type GrantPreview = Body<paths["/api/admin/credits/bulk-grant/preview"]["post"]>;
export type SystemStats = Body<paths["/api/admin/system-stats"]["get"]>;
export type SystemServices = Body<paths["/api/admin/system/services"]["get"]>;
export type UserLog = Body<paths["/api/admin/system/activity"]["get"]>["activity"][number];
export type LogLine = Body<paths["/api/admin/system/logs"]["get"]>["logs"][number];
export type AuditEntry = Body<paths["/api/admin/audit"]["get"]>["entries"][number];
export type StuckPiece = Body<paths["/api/admin/work"]["get"]>["work"][number];
export type Statement = Body<paths["/api/credits/statement"]["get"]>;
export type Clients = Body<paths["/api/organisation/clients"]["get"]>;
export type Client = Clients["clients"][number];
export type CreditTransfer = Body<paths["/api/organisation/transfers"]["get"]>["transfers"][number];
export type BillingDetails = Required<Body<paths["/api/organisation/billing"]["get"]>>;
export type Preferences = Required<Body<paths["/api/user/preferences"]["get"]>>;
export type Retention = Required<Body<paths["/api/user/retention"]["get"]>>;

/** The counts that a finished list and an answer given at once have in common. */
export type Counts = Pick<
  Batch,
  | "valid_count"
  | "invalid_count"
  | "unknown_count"
  | "catch_all_count"
  | "disposable_count"
  | "spam_trap_count"
  | "safe_to_send_count"
  | "risky_count"
  | "total_emails"
>;
/** What an organisation asks of those who work in it. */
export type TeamRules = Schemas["Rules"];
export type OwnedDomain = Schemas["Domain"];
export type AuditLine = Schemas["OrganisationAuditLine"];
