import { toast } from "sonner";

import type { Deal, QuoteRequest, StaffQuote } from "../../../api/types";
import { ApiError } from "../../../lib/errors";
import { formatDateTime, formatMoney, formatNumber } from "../../../lib/format";

/** What lists of quotes and of requests are kept under. */
export const QUOTES = ["quotes"] as const;
export const REQUESTS = ["quote-requests"] as const;

export const PRESETS = [50_000, 100_000, 250_000, 500_000, 1_000_000] as const;
export const STEP = 1_000;

/** The next amount that is offered: a multiple of a thousand. */
export function roundUpCredits(credits: number): number {
  return Math.max(STEP, Math.ceil(credits / STEP) * STEP);
}

/** Why something failed, in the server's words or those of the browser. */
function getReason(error: unknown): string {
  if (error instanceof ApiError) return error.detail || "no answer came from the server";
  return error instanceof Error ? error.message : "unknown reason";
}

/** Waits for a call; a toast says what failed, and why. */
export async function sayReason<Answer>(call: Promise<Answer>, failed: string): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    toast.error(`${failed}: ${getReason(error)}`);
    throw error;
  }
}

/** Only what was paid or activated stays, out of sight. */
export function isArchivable({ status }: StaffQuote): boolean {
  return status === "paid" || status === "activated";
}

/** The offer as plain text, for a mail that staff send themselves. */
export function draftOffer(quote: StaffQuote): { subject: string; body: string } {
  const { first_month, monthly_after } = quote.credit_distribution;
  const credits = formatNumber(quote.credits_needed);
  const lines = [
    `Hello ${quote.customer_name},`,
    "",
    `this is our offer for ${credits} credits (quote ${quote.quote_id}).`,
    "",
    `Monthly: ${formatMoney(quote.monthly_price)} a month, twelve payments; ${formatNumber(first_month)} credits with the first, ${formatNumber(monthly_after)} with each after it.`,
    `Yearly: ${formatMoney(quote.annual_price)} once, you save ${formatMoney(quote.annual_savings)}; ${formatNumber(quote.yearly_credits)} credits at once.`,
    "",
    `It holds until ${formatDateTime(quote.expires_at)}. To pay it, sign in with ${quote.customer_email}:`,
    `${location.origin}/dashboard?tab=custom-packages`,
  ];
  return { subject: `Your quote ${quote.quote_id}: ${credits} credits`, body: lines.join("\n") };
}

/** What the form is filled with: what a customer asked for, or the deal that a quote is for. */
export interface Prefill {
  source: { request: QuoteRequest } | { deal: Deal };
  /** Counts up, so that choosing the same again fills the form again. */
  turn: number;
}

export type Source = Prefill["source"];
