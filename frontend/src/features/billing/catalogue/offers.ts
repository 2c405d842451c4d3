import type { PaymentQuestion } from "../payments/use-second-payment";

// The catalogue as the server puts it into the page: amounts are texts in USD.
export const CYCLES = { monthly: "Monthly", yearly: "Yearly" } as const;
export type Cycle = keyof typeof CYCLES;

/** Plans that are sold; the free one is not. */
export type PaidPlan = "starter" | "growth" | "pro";

export interface PlanOffer {
  id: "free" | PaidPlan;
  name: string;
  monthly: string;
  yearly: string | null;
  yearly_per_month: string | null;
  limit: number;
}

export interface PackOffer {
  id: "small" | "medium" | "large";
  credits: number;
  price: string;
  per_credit: string;
  best_value: boolean;
}

export interface Tables {
  plans: PlanOffer[];
  packs: PackOffer[];
  comparison: { name: string; values: (string | boolean)[] }[];
  saving: string;
  sales_from: number;
}

/** What somebody wants to buy. */
export type Purchase =
  { kind: "subscription"; item: PaidPlan; cycle: Cycle } | { kind: "credits"; item: PackOffer["id"] };

/** The way to buy: `pending` is what is being bought now, undefined or null when nothing is. */
export interface Checkout {
  pending: Purchase | null;
  buy: (purchase: Purchase) => void;
  /** What is asked before the same is bought a second time. */
  asking: PaymentQuestion | null;
}

/** What is said when the server does not say where to approve. */
export const NO_ADDRESS = "PayPal approval URL not found";

export function isSamePurchase(one: Purchase | null, other: Purchase): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
