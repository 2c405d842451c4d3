// Quotes as the server answers them.
import type { Quote, QuoteRequest, StaffQuote } from "../src/api/types";

export function quote(change: Partial<Quote> = {}): Quote {
  return {
    id: 7,
    quote_id: "Q-20260301-7F3A9C",
    customer_name: "Erin Elm",
    customer_email: "erin@elm.com",
    customer_company: "Elm Ltd",
    credits_needed: 250_000,
    monthly_price: 131.25,
    annual_price: 1307.25,
    annual_savings: 267.75,
    credit_distribution: { first_month: 20_837, monthly_after: 20_833 },
    yearly_credits: 292_500,
    expires_at: "2026-03-31T12:00:00Z",
    is_expired: false,
    status: "active",
    plan_status: null,
    selected_plan: null,
    ...change,
  };
}

export function staffQuote(change: Partial<StaffQuote> = {}): StaffQuote {
  return { ...quote(), notes: "", created_at: "2026-03-01T12:00:00Z", archived: false, ...change };
}

export function quoteRequest(change: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    id: 3,
    user_name: "Erin Elm",
    user_email: "erin@elm.com",
    company_name: "Elm Ltd",
    credits_requested: 12_345,
    credits_needed: 12_345,
    notes: "Before spring",
    status: "PENDING",
    created_at: "2026-03-01T12:00:00Z",
    ...change,
  };
}
