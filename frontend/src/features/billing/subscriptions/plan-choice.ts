import { CYCLES, type Cycle, type PaidPlan } from "../catalogue/offers";

/** A plan and how it is paid. */
export interface PlanChoice {
  plan: PaidPlan;
  cycle: Cycle;
}

const PLANS: readonly string[] = ["starter", "growth", "pro"] satisfies PaidPlan[];

/** Where the change to this plan is looked at and confirmed. */
export function getPlanChangeAddress({ plan, cycle }: PlanChoice): string {
  return `/account-settings?tab=subscription&plan=${plan}&billing=${cycle}#change-plan`;
}

/** The plan that an address was made for; null for any other. */
export function readPlanChoice(search: URLSearchParams): PlanChoice | null {
  const [plan, cycle] = [search.get("plan") ?? "", search.get("billing") ?? ""];
  return PLANS.includes(plan) && Object.hasOwn(CYCLES, cycle)
    ? { plan: plan as PaidPlan, cycle: cycle as Cycle }
    : null;
}
