// What the palette offers without asking the server, and how it is matched with what is typed.
import type { Choice } from "../../lib/recent-choices";
import { mayDo, type Right } from "../../lib/rights";

export type Kind = "page" | "setting" | "action" | "list" | "address" | "document" | "user" | "quote";

export interface Entry {
  kind: Kind;
  label: string;
  /** Beside the label. */
  detail?: string;
  /** Where it leads; an entry without one does something. */
  address?: string;
  /** The keys that do the same. */
  keys?: readonly string[];
  /** Words that find it besides its label. */
  words?: string;
  /** What the role must include. */
  needs?: Right;
}

export const PAGES: readonly Entry[] = [
  {
    kind: "page",
    label: "Validate",
    needs: "check",
    address: "/dashboard?tab=validate",
    keys: ["g", "v"],
    words: "check new",
  },
  {
    kind: "page",
    label: "History",
    needs: "read",
    address: "/dashboard?tab=history",
    keys: ["g", "h"],
    words: "lists results",
  },
  { kind: "page", label: "Campaigns", address: "/dashboard?tab=campaigns" },
  {
    kind: "page",
    label: "Upgrade",
    needs: "pay",
    address: "/dashboard?tab=pricing",
    words: "pricing plans packs buy credits",
  },
  {
    kind: "page",
    label: "Analytics",
    needs: "read",
    address: "/dashboard?tab=analytics",
    keys: ["g", "a"],
    words: "charts usage",
  },
  {
    kind: "page",
    label: "Refer Friends",
    address: "/dashboard?tab=referrals",
    words: "referral invite bonus",
  },
  {
    kind: "page",
    label: "Custom packages",
    needs: "pay",
    address: "/dashboard?tab=custom-packages",
    words: "quotes offers",
  },
  { kind: "page", label: "Team", address: "/team", words: "members invite roles organisation" },
  { kind: "page", label: "API reference", address: "/api-docs", words: "endpoints try" },
  { kind: "page", label: "Documentation", address: "/documentation", words: "developer guide docs" },
];

export const STAFF_PAGES: readonly Entry[] = [
  { kind: "page", label: "Admin Dashboard", address: "/admin", words: "staff overview" },
  { kind: "page", label: "User Management", address: "/admin?tab=users", words: "staff customers" },
  { kind: "page", label: "Quote Generator", address: "/admin?tab=quotes", words: "staff quotes" },
  { kind: "page", label: "CRM & Contracts", address: "/admin?tab=crm", words: "staff deals messages" },
  { kind: "page", label: "System Admin", address: "/admin?tab=system", words: "staff logs services" },
  { kind: "page", label: "Monitoring & Alerts", address: "/admin?tab=monitoring", words: "staff health" },
];

function buildSetting(label: string, place: string, words?: string): Entry {
  return { kind: "setting", label, address: `/account-settings?tab=${place}`, ...(words ? { words } : {}) };
}

export const SETTINGS: readonly Entry[] = [
  { ...buildSetting("Profile Settings", "profile", "name company address"), keys: ["g", "s"] },
  { ...buildSetting("API keys", "profile#api-keys", "token key"), needs: "develop" },
  { ...buildSetting("Webhooks", "profile#webhooks", "events deliveries"), needs: "develop" },
  { ...buildSetting("Request log", "profile#requests", "api calls"), needs: "develop" },
  buildSetting("Security", "profile#security", "two-factor sessions devices activity sign-in"),
  { ...buildSetting("Manage Subscription", "subscription", "plan cancel pause change"), needs: "pay" },
  { ...buildSetting("Invoices", "subscription#invoices", "receipts bills pdf"), needs: "pay" },
  { ...buildSetting("Usage alerts", "subscription#usage-alerts", "quota warning mail"), needs: "pay" },
  { ...buildSetting("Credit statement", "subscription#statement", "ledger credits spent"), needs: "pay" },
  { ...buildSetting("Payment Methods", "payment-methods", "paypal card"), needs: "pay" },
  buildSetting("Password Reset", "password", "change password"),
  buildSetting("Help Center", "help", "support chat phone contact"),
  buildSetting("Privacy", "privacy", "data export retention delete account history preferences"),
];

/** Those that the role opens. */
export function listOpen(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ needs }) => needs === undefined || mayDo(needs));
}

function splitWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How well it fits: 3 begins with it, 2 a word of the label does, 1 another word does, 0 does not fit. */
function rankEntry({ label, words = "" }: Entry, query: string): number {
  if (label.toLowerCase().startsWith(query)) return 3;
  const typed = splitWords(query);
  const begins = (text: string) =>
    typed.every((part) => splitWords(text).some((word) => word.startsWith(part)));
  if (begins(label)) return 2;
  return begins(`${label} ${words}`) ? 1 : 0;
}

/** Those that fit what is typed, the best first; all of them when nothing is. */
export function matchEntries(entries: readonly Entry[], query: string): Entry[] {
  const typed = query.trim().toLowerCase();
  if (typed === "") return [...entries];
  const ranked = entries.map((entry) => ({ entry, rank: rankEntry(entry, typed) }));
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ entry }) => entry);
}

const KINDS: readonly string[] = [
  "page",
  "setting",
  "action",
  "list",
  "address",
  "document",
  "user",
  "quote",
];

/** What was chosen before, as an entry; it may have been stored by an older version of the site. */
export function readChoice(choice: Choice): Entry | null {
  return KINDS.includes(choice.kind) ? { ...choice, kind: choice.kind as Kind } : null;
}

/** The address in what is typed, alone or after "check"; null when there is none. */
export function findTypedAddress(query: string): string | null {
  return /^(?:check\s+)?([^\s@]+@[^\s@]+\.[^\s@]{2,})$/i.exec(query.trim())?.[1] ?? null;
}
