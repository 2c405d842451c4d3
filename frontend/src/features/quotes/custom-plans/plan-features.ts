import type { CustomPlan, NewCustomPlan } from "../../../api/types";

export type Feature = NonNullable<NewCustomPlan["features"]>[number];

/** The checklist. */
export const FEATURES: readonly Feature[] = [
  "Email Validation API",
  "Bulk Validation",
  "Real-time Validation",
  "Priority Support",
  "API Documentation",
  "Webhook Support",
  "Custom Integrations",
  "Dedicated Account Manager",
  "SLA Guarantee",
  "White-label Options",
];
/** What lists are kept under. */
export const CUSTOM_PLANS = ["custom-plans"] as const;
export const OPEN_INVOICES = ["open-invoices"] as const;

/** The features of a plan that are on the checklist, and the others as they are typed. */
export function splitFeatures({ features }: Pick<CustomPlan, "features">): {
  listed: Feature[];
  typed: string;
} {
  return {
    listed: FEATURES.filter((feature) => features.includes(feature)),
    typed: features.filter((feature) => !(FEATURES as readonly string[]).includes(feature)).join(", "),
  };
}
