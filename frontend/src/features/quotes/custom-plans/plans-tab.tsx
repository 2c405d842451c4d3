import type { ReactNode } from "react";

import { CustomPlans } from "./custom-plans";
import { OpenInvoices } from "../../adminpanel/payments/open-invoices";
import { PlanRequests } from "./plan-requests";

/** The tab Plan Builder: what customers chose of their quotes, what they owe, and the plans that staff make. */
export function PlansTab(): ReactNode {
  return (
    <div className="stack">
      <PlanRequests />
      <OpenInvoices />
      <CustomPlans />
    </div>
  );
}
