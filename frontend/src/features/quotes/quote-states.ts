// What both sides know of a quote.
import type { Quote } from "../../api/types";
import { isUnreachable } from "../../lib/errors";

export const QUOTES = ["quotes"] as const;
/** Below those of the quotes: what renews them renews these. */
export const OWN_REQUESTS = ["quotes", "requests"] as const;

/** How often it is asked whether a paid plan is active. */
export const ACTIVATION_MS = 15_000;

/** Where a quote stands: the first that holds. */
export function getBadge(quote: Quote): string {
  if (quote.is_expired) return "Expired";
  if (quote.status === "declined") return "Declined";
  if (quote.status === "paid") return "Paid - Pending Activation";
  if (quote.plan_status === "approved") return "Activated";
  return quote.selected_plan ? "Plan Selected" : "Active";
}

export type Stage = "expired" | "declined" | "active" | "paid" | "open";

/** What can be done about a quote, or why nothing can. */
export function getStage(quote: Quote): Stage {
  if (quote.is_expired) return "expired";
  if (quote.status === "declined") return "declined";
  if (quote.plan_status === "approved") return "active";
  return quote.status === "paid" || quote.plan_status === "payment_received" ? "paid" : "open";
}

/** Why quotes could not be loaded. */
export function describeLoadFailure(error: unknown): string {
  return isUnreachable(error) ? "Error loading quotes" : "Failed to fetch quotes";
}

const PLAIN = /^\d{1,12}$/;

/** A whole number as people type it (250,000 or 250 000), or null. */
export function parseCredits(text: string): number | null {
  const digits = text.replaceAll(/[\s,]/g, "");
  return PLAIN.test(digits) ? Number(digits) : null;
}
