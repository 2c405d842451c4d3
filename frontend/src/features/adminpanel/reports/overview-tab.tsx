import type { ReactNode } from "react";

import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber } from "../../../lib/format";
import { Figure } from "../../../ui/figure";
import { LiveView } from "../../../ui/live-view";
import { SkeletonCards } from "../../../ui/states";
import { AdvancedAnalytics } from "./advanced-analytics";
import { Feedback } from "../../crm/messages/feedback";

const TOTALS = <SkeletonCards count={3} grid="stat-cards" block="skeleton-total" />;

function Totals(): ReactNode {
  const totals = useAdminQuery(["stats"], () => readData(api.GET("/api/admin/stats")));
  return (
    <section className="stack-4" aria-label="Totals">
      <LiveView query={totals} fallback="Failed to load the totals" rows={TOTALS}>
        {(found) => (
          <dl className="stat-cards">
            <Figure name="Total Users" hint="Accounts that are not closed">
              {formatNumber(found.totalUsers)}
            </Figure>
            <Figure name="Total Revenue" hint="Captured payments less refunds, of all time">
              {formatMoney(found.totalRevenue)}
            </Figure>
            <Figure
              name="Total Validations"
              hint="Addresses checked since the beginning, closed accounts included"
            >
              {formatNumber(found.totalValidations)}
            </Figure>
          </dl>
        )}
      </LiveView>
    </section>
  );
}

/** The business at a glance: totals, analytics of all accounts, what people say. */
export function OverviewTab(): ReactNode {
  return (
    <div className="stack">
      <Totals />
      <AdvancedAnalytics />
      <Feedback />
    </div>
  );
}
