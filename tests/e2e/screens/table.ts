// Every screen: its name, its address, who looks, in which states, and what is opened on it.
import type { Page } from "@playwright/test";

import type { State } from "./frames";
import * as open from "./openings";
import * as sales from "./openings-sales";
import * as visits from "./openings-visits";

export interface Screen {
  name: string;
  /** What makes the address may sign somebody in. */
  path: string | ((page: Page) => Promise<string>);
  /** A stranger has not chosen about cookies yet. */
  who: "stranger" | "visitor" | "customer" | "staff";
  states: readonly State[];
  /** Presses what leads from the page to the screen; only when it is full. */
  open?: ((page: Page) => Promise<void>) | undefined;
  /** A menu, which does not outlive a change of the window's size. */
  menu?: boolean;
}

type Opening = Screen["open"];

const FULL = ["full"] as const;
const LOADED = ["full", "failing"] as const;
const ALL = ["full", "empty", "failing"] as const;

const visitor = (name: string, path: Screen["path"], opening?: Opening): Screen => ({
  name,
  path,
  who: "visitor",
  states: FULL,
  open: opening,
});

const customer = (
  name: string,
  path: Screen["path"],
  opening?: Opening,
  states: Screen["states"] = FULL,
): Screen => ({ name, path, who: "customer", states, open: opening });

const staff = (tab: string, name: string, opening?: Opening, states: Screen["states"] = FULL): Screen => ({
  name,
  path: `/admin?tab=${tab}`,
  who: "staff",
  states,
  open: opening,
});

const PUBLIC: Screen[] = [
  visitor("Landing page", "/"),
  visitor("Landing page, yearly prices", "/#pricing", visits.yearly),
  visitor("Landing page, packs", "/#pricing", open.text("Pay As You Go")),
  { ...visitor("Cookie consent bar", "/"), who: "stranger" },
  visitor("Cookie choice again", "/", open.button("Cookie settings")),
  visitor("Landing page, menu of a phone", "/", visits.menu),
  visitor("Landing try it", "/", visits.tryAddress),
  visitor("Demo video", "/", open.link("Demo Video")),
  visitor("Auth dialog, sign in", "/?login=true"),
  visitor("Auth dialog, wrong password", "/?login=true", visits.wrongPassword),
  visitor("Auth dialog, register", "/", open.button("Create a free account")),
  visitor("Auth dialog, check your email", "/", visits.registered),
  visitor("Auth dialog, not verified", visits.unverified, visits.enter),
  visitor("Suspended account", visits.suspended, visits.enter),
  visitor("Second step of sign-in", visits.guarded, visits.enter),
  visitor("First sign-in password", visits.createdAdmin),
  visitor("Forgot password", "/?forgot=true"),
  visitor("Partner portal", "/", open.button("Partner Portal")),
  visitor("Session expired", "/?ended=1"),
  visitor("Email verification, done", visits.verification, visits.stay),
  visitor("Email verification, link is wrong", "/verify-email?token=nothing"),
  visitor("Email verification, no link", "/verify-email"),
  visitor("Reset password, form", visits.reset),
  visitor("Reset password, done", visits.reset, visits.chosen),
  visitor("Reset password, link is wrong", "/reset-password?token=nothing"),
  visitor("Contact", "/contact?subject=Lists"),
  visitor("Contact, sent", "/contact?subject=Lists", visits.contacted),
  visitor("About", "/about"),
  visitor("How we measure", "/how-we-measure"),
  visitor("Status", "/status"),
  visitor("Help center", "/help-center"),
  visitor("Help center, no match", "/help-center?q=nothing+of+that+kind"),
  visitor("Developer documentation", "/documentation"),
  visitor("Versions", "/documentation#changelog"),
  visitor("Changelog", "/changelog"),
  visitor("API docs", "/api-docs"),
  visitor("API docs, try it", "/api-docs", open.button("Try it: Check one address")),
  visitor("Blog", "/blog"),
  visitor("Blog, one category", "/blog?category=data-quality"),
  visitor("Blog post", "/blog/reading-bounce-codes"),
  visitor("Newsletter confirm", visits.newsletter),
  visitor("Newsletter confirm, link is wrong", "/newsletter/confirm?token=nothing", open.button("Confirm")),
  visitor(
    "Newsletter unsubscribe, link is wrong",
    "/newsletter/unsubscribe?token=nothing",
    open.button("Unsubscribe"),
  ),
  visitor("Privacy policy", "/privacy"),
  visitor("Terms", "/terms"),
  visitor("Refund policy", "/refund-policy"),
  visitor("Integrations and recipes", "/integrations"),
  visitor("404", "/blog/no-such-post"),
  visitor("500", visits.broken),
  visitor("No network", visits.offline),
  visitor("Sandbox index", "/sandbox"),
  visitor("Sandbox outbox", "/sandbox/outbox"),
  visitor("Sandbox inbox", "/sandbox/inbox?box=screens"),
  visitor("Sandbox DNS", "/sandbox/dns"),
  visitor("Sandbox PayPal, control", "/sandbox/paypal"),
  visitor("Sandbox PayPal, approval", visits.newcomerAt("/dashboard?tab=pricing"), sales.toPayPal),
  visitor("Sandbox Google", "/?login=true", open.link("Continue with Google")),
];

const DASHBOARD: Screen[] = [
  customer("Tab Validate", "/dashboard", undefined, ALL),
  customer("Tab Validate, one address", "/dashboard", open.oneAddress),
  customer("Tab Validate, a list", "/dashboard", open.pasted),
  visitor("Tab Validate, no credits", visits.broke, open.oneAddress),
  visitor("Tab Validate, on Free", visits.newcomerAt("/dashboard"), open.oneAddress),
  visitor("Onboarding tour", visits.newcomerAt("/dashboard?tour=again"), open.dialog),
  customer("Upload: columns", "/dashboard", open.columns),
  customer("Upload: review", "/dashboard", open.review),
  customer("Upload: review, time by operator", "/dashboard", open.timed),
  visitor("Upload: review, too few credits", visits.newcomerAt("/dashboard"), open.review),
  customer("Batch progress, modal", "/dashboard", open.running),
  customer("Batch progress, in background", "/dashboard", open.inBackground),
  customer("Batch progress, rows that wait", "/dashboard", open.waiting),
  customer("Dialog cancel batch", "/dashboard", open.cancelling),
  customer("Tab History", "/dashboard?tab=history", undefined, ALL),
  customer("Tab History, no match", "/dashboard?tab=history&search=nobody-here"),
  customer("Validation details", "/dashboard?tab=history", open.button("View details")),
  customer("Batch analytics", "/dashboard?tab=history", open.exactly("Details")),
  customer("Tab Campaigns", "/dashboard?tab=campaigns"),
  customer("Tab Upgrade", "/dashboard?tab=pricing", undefined, LOADED),
  customer("Tab Upgrade, packs", "/dashboard?tab=pricing&pricing=payasyougo"),
  customer("Tab Analytics", "/dashboard?tab=analytics", undefined, ALL),
  customer("Tab Refer Friends", "/dashboard?tab=referrals", undefined, ALL),
  customer("Tab Custom packages", sales.TAB, undefined, ALL),
  customer("Plan choice", sales.TAB, open.button("Choose Plan & Pay")),
  customer("Decline quote", sales.TAB, open.button(/^Decline Q-/)),
  customer("Quote print", sales.printed),
  customer("Quote print, on paper", sales.printed, sales.paper),
  customer("Results explorer", open.batch(), undefined, LOADED),
  customer("Results explorer, no match", open.batch("?search=nobody-here")),
  customer("Download menu", open.batch(), open.button("Download")),
  customer("Dialog re-check", open.batch(), open.button("Re-check unknown")),
  customer("Dialog delete batch", open.batch(), open.exactly("Delete")),
  customer("Dialog rename or keep", open.batch(), open.button(/Rename/)),
  customer("Single result", open.result, undefined, LOADED),
  customer("Command palette", "/dashboard", open.keys("Control+k")),
  customer("Key list", "/dashboard", open.keys("?")),
];

const SUBSCRIPTION = "/account-settings?tab=subscription";
const PROFILE = "/account-settings?tab=profile";

const SETTINGS: Screen[] = [
  customer("Profile settings, keys, webhooks, requests, security", PROFILE, undefined, ALL),
  customer("Manage Subscription, statement, alerts", SUBSCRIPTION, undefined, ALL),
  customer("Payment Methods", "/account-settings?tab=payment-methods", undefined, ALL),
  customer("Password Reset", "/account-settings?tab=password", undefined, LOADED),
  customer("Help Center tab", "/account-settings?tab=help", undefined, LOADED),
  customer("Privacy tab, retention, providers", "/account-settings?tab=privacy", undefined, LOADED),
  customer("Delete account", "/account-settings?tab=privacy", open.button("Delete account")),
  customer("Clear history", "/account-settings?tab=privacy", open.button("Clear validation history")),
  customer("Plan-change preview", SUBSCRIPTION, open.button("Upgrade to Pro, billed monthly")),
  customer("Cancel dialog", SUBSCRIPTION, open.exactly("Cancel")),
  customer("Pause dialog", SUBSCRIPTION, open.exactly("Pause")),
  visitor("Scheduled change banner", sales.subscribed, sales.downgrade),
  visitor("Paused subscription", sales.subscribed, sales.pause),
  visitor("Cancelled subscription", sales.subscribed, sales.cancel),
  visitor("Past-due banner", sales.pastDue),
  visitor("Past-due banner, dashboard", sales.pastDueAt("/dashboard")),
  visitor("Trial", sales.trial),
  visitor("Payment return, paid", sales.back("pay")),
  visitor("Payment return, cancelled", sales.back("cancel")),
  visitor("Payment return, declined", sales.back("decline")),
  visitor("Payment return, pending", sales.back("delay")),
  customer("API key dialog", `${PROFILE}#api-keys`, open.button("Create API key")),
  customer("API key dialog, the key", `${PROFILE}#api-keys`, open.newKey),
  customer("Webhook dialog", `${PROFILE}#webhooks`, open.button("Add webhook")),
  customer(
    "Webhook deliveries",
    `${PROFILE}#webhooks`,
    open.entry(/^More actions for https/, /^Deliveries /),
  ),
  customer("Webhook delivery", `${PROFILE}#webhooks`, open.delivery),
  customer(
    "Webhook secret rotation",
    `${PROFILE}#webhooks`,
    open.entry(/^More actions for https/, /^Rotate secret /),
  ),
  customer("Request log, one request", `${PROFILE}#requests`, open.request),
  customer("Request log, no match", `${PROFILE}#requests`, open.noRequest),
  visitor("Second factor setup", visits.newcomerAt(`${PROFILE}#security`), open.secondFactor),
  visitor("Recovery codes", visits.newcomerAt(`${PROFILE}#security`), open.recoveryCodes),
  customer("Sign out everywhere", `${PROFILE}#security`, open.button("Sign out everywhere")),
];

const STAFF: Screen[] = [
  visitor("Access card, visitor", "/admin"),
  customer("Access card, customer", "/admin"),
  staff("overview", "Overview, analytics, feedback", undefined, ALL),
  staff("overview", "Overview, categories", open.button("Category Breakdown")),
  staff("users", "User Management", undefined, ALL),
  staff("users&user=nobody-here", "User Management, no match"),
  staff("users&user=paula", "User drawer", open.button("Paula Pine")),
  staff("users&user=paula", "User drawer, ledger", sales.drawer("Ledger")),
  staff("users&user=paula", "User drawer, activity", sales.drawer("Activity")),
  staff("users&user=paula", "Edit User", open.button(/^Edit paula/)),
  staff("users&user=paula", "Delete user", open.button(/^Delete paula/)),
  staff("users", "Create Admin", open.button("Create Admin")),
  staff("users", "Create Admin, done", sales.createAdmin),
  staff("users", "Delete test users", open.button("Delete Test Users")),
  staff("users&user=paula", "View as a user", sales.viewAs),
  staff("quotes", "Quote Generator", undefined, ALL),
  staff("quotes", "Quote Generator, from a request", open.button(/^Generate Quote for/)),
  staff("quotes", "Quote detail", open.button(/^View Q-/)),
  { ...staff("quotes", "Printable quote"), path: sales.printedByStaff },
  staff("credits", "Credit Management", undefined, LOADED),
  staff("credits", "Bulk-grant preview", sales.grant),
  staff("revenue", "Revenue and payments", undefined, ALL),
  staff("revenue", "Payment", open.button("Paula Pine")),
  staff("revenue", "Refund", sales.refund),
  staff("api-monitor", "API Monitor", undefined, ALL),
  staff("plans", "Plan Builder", undefined, ALL),
  staff("plans", "Create Custom Plan", open.button("Create Custom Plan")),
  staff("plans", "Edit custom plan", open.button("Edit Harbor fleet")),
  staff("plans", "Assign custom plan", open.button("Assign Harbor fleet")),
  staff("plans", "Approve without payment", open.button(/^Approve & Create Plan/)),
  staff("crm", "Deal pipeline", undefined, ALL),
  staff("crm", "Deal drawer", open.exactly("Cedar & Sons")),
  staff("crm", "New Deal", open.button("New Deal")),
  staff("crm", "Edit deal", open.button("Edit Cedar & Sons")),
  { ...staff("crm", "Move menu", open.button("Move Cedar & Sons")), menu: true },
  staff("crm&view=contracts", "Active Contracts", undefined, ALL),
  staff("crm&view=contracts", "Contract form", open.button("New Contract")),
  staff("crm&view=contracts", "Contract", open.exactly("Fir Freight")),
  staff("crm&view=renewals", "Renewal Alerts", undefined, ALL),
  staff("crm&view=messages", "Messages", undefined, ALL),
  staff("crm&view=messages", "Message to deal", open.button("Make a deal")),
  staff("crm&view=newsletter", "Newsletter", undefined, ALL),
  staff("system", "System Admin, audit, logs, backups, claims, mails", undefined, ALL),
  staff("system", "Claim", open.button("Addresses checked per hour in a list")),
  staff("system", "E-mail preview", open.button(/^Welcome to/)),
  staff("system", "E-mail preview, overdue invoice", open.button(/^Invoice .* was due on/)),
  staff("system", "Back up now", open.button("Back up now")),
  staff("monitoring", "Monitoring, stuck work, routes, incidents", undefined, ALL),
  staff("monitoring", "New incident", open.button("New entry")),
  staff("monitoring", "Rest egress address", open.button(/^Rest /)),
  staff("api-credits", "API Credits, provider statistics", undefined, ALL),
  staff("api-credits", "Change provider", open.button("Change Kickbox")),
  { ...staff("users", "Confirm it is you", sales.confirm), who: "visitor", path: sales.staleStaff },
  { ...staff("users", "Django admin"), path: "/django-admin/" },
  { ...staff("users", "Django admin, a table"), path: "/django-admin/billing/creditlot/" },
];

export const SCREENS: Screen[] = [...PUBLIC, ...DASHBOARD, ...SETTINGS, ...STAFF];
