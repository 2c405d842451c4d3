// The catalogue as the server puts it into the page: amounts are texts in USD.
export type Cycle = "monthly" | "yearly";

export interface PlanOffer {
  id: string;
  name: string;
  monthly: string;
  yearly: string | null;
  yearly_per_month: string | null;
  limit: number;
  color: string;
}

export interface PackOffer {
  id: string;
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
  { kind: "subscription"; item: string; cycle: Cycle } | { kind: "credits"; item: string };

/** The way to buy: `pending` is what is being bought now. */
export interface Checkout {
  pending: Purchase | null;
  buy: (purchase: Purchase) => void;
}

export function isSame(one: Purchase | null, other: Purchase): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
