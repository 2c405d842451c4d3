import type { ReactNode } from "react";

import { CustomPlans } from "./custom-plans";
import { PlanRequests } from "./plan-requests";

/** The tab Plan Builder: what customers chose of their quotes, and the plans that staff make. */
export function PlansTab(): ReactNode {
  return (
    <div className="stack" data-wide>
      <PlanRequests />
      <CustomPlans />
    </div>
  );
}
