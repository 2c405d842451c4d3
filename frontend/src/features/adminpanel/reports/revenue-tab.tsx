import CircleCheck from "lucide-react/icons/circle-check";
import type { ReactNode } from "react";

import type { Revenue } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatPercent } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Badge, type Look } from "../../../ui/badge";
import {
  numberColumn,
  timeColumn,
  moneyColumn,
  textColumn,
  type Column,
} from "../../../ui/data-table/columns";
import { DataTable, type DataTableProps } from "../../../ui/data-table/data-table";
import { SaveButton } from "../../../ui/data-table/save-button";
import { Figure } from "../../../ui/figure";
import { LiveView } from "../../../ui/live-view";
import { Section } from "../../../ui/section";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { SkeletonReport } from "../../../ui/states";
import { RANGES } from "../../validation/analytics/use-analytics";
import { Payments } from "../payments/payments";

const PERIODS = { ...RANGES, all: "All time" } as const;
type Period = keyof typeof PERIODS;

const HINTS = {
  total: "Captured payments less refunds, of all time",
  monthly:
    "Monthly prices of the active plans that are paid for, a twelfth where a year is billed; no paused, past-due or trial plans",
  value: "Total revenue over customers with a payment that was not given back",
  churn: "Customers whose subscription ended in the range, over those who had one at its start",
};

function RevenueCards({ found }: { found: Revenue }): ReactNode {
  return (
    <dl className="stat-cards">
      <Figure
        name="Total Revenue"
        hint={HINTS.total}
        note={`${formatMoney(found.yearlyRevenue)} in 365 days`}
      >
        {formatMoney(found.totalRevenue)}
      </Figure>
      <Figure name="Monthly Recurring Revenue" hint={HINTS.monthly} note="as of now">
        {formatMoney(found.monthlyRevenue)}
      </Figure>
      <Figure name="Avg Customer Value" hint={HINTS.value} note="of all time">
        {formatMoney(found.avgCustomerValue)}
      </Figure>
      <Figure name="Churn Rate" hint={HINTS.churn} note="in this range">
        {formatPercent(found.churnRate / 100)}
      </Figure>
    </dl>
  );
}

type RevenueTableProps<Row> = Pick<DataTableProps<Row>, "columns" | "rows" | "getKey" | "foot"> & {
  title: string;
  empty: string;
};

function RevenueTable<Row>({ title, empty, ...table }: RevenueTableProps<Row>): ReactNode {
  return (
    <section className="stack-4" aria-label={title}>
      <h3>{title}</h3>
      <DataTable label={title} empty={{ title: empty, text: "Captured payments appear here." }} {...table} />
    </section>
  );
}

const BREAKDOWN: readonly Column<Revenue["planBreakdown"][number]>[] = [
  textColumn("plan", "Plan", ({ plan }) => plan, { csv: ({ plan }) => plan }),
  moneyColumn("revenue", "Revenue", ({ revenue }) => revenue),
  numberColumn("customers", "Customers", ({ customers }) => customers, { hideBelow: "narrow" }),
  numberColumn("percentage", "Percentage", ({ percentage }) => percentage, {
    cell: ({ percentage }) => formatPercent(percentage / 100),
  }),
];

const COMPLETED: Look = ["Completed", "plain", CircleCheck];
const TRANSACTIONS: readonly Column<Revenue["recentTransactions"][number]>[] = [
  textColumn("customer", "Customer", ({ customer }) => customer, { className: "break" }),
  moneyColumn("amount", "Amount", ({ amount }) => amount),
  textColumn("plan", "Plan", ({ plan }) => plan, { hideBelow: "narrow" }),
  timeColumn("date", "Date", ({ date }) => date, { hideBelow: "narrow" }),
  textColumn("status", "Status", () => <Badge look={COMPLETED} />),
];

/** What went back in the range; the payments themselves are below. */
function Refunds({ period }: { period: Period }): ReactNode {
  const [, setUrl] = useUrlState();
  const query = { range: period };
  const payments = useAdminQuery(["refunds", period], () =>
    readData(api.GET("/api/admin/payments", { params: { query } })),
  );
  if (!payments.data) return null;
  return (
    <p className="muted">
      Refunded in this range: <strong className="nums">{formatMoney(payments.data.refunded_total)}</strong>.{" "}
      <a href="#payments-heading" onClick={() => setUrl({ state: "refunded", range: period }, "replace")}>
        See them under Payments
      </a>
    </p>
  );
}

/** Revenue by plan and range, then every payment. */
export function RevenueTab(): ReactNode {
  const [url, setUrl] = useUrlState();
  const period = findOption(PERIODS, url.get("period"), "30d");
  const revenue = useAdminQuery(["revenue", period], () =>
    readData(api.GET("/api/admin/revenue", { params: { query: { range: period } } })),
  );
  return (
    <div className="stack">
      <Section
        id="revenue-heading"
        title="Revenue"
        aside={
          <div className="segments-wide">
            <SegmentedControl
              label="Range"
              options={PERIODS}
              value={period}
              onChange={(next) => setUrl({ period: next === "30d" ? null : next })}
            />
          </div>
        }
      >
        <LiveView query={revenue} fallback="Failed to load revenue" rows={<SkeletonReport figures={4} />}>
          {(found) => (
            <>
              <RevenueCards found={found} />
              <RevenueTable
                title="Revenue Breakdown by Plan"
                empty="No revenue in this range"
                columns={BREAKDOWN}
                rows={found.planBreakdown}
                getKey={({ plan }) => plan}
                foot={
                  <SaveButton name={`revenue-${period}`} columns={BREAKDOWN} rows={found.planBreakdown} />
                }
              />
              <RevenueTable
                title="Recent Transactions"
                empty="No transactions in this range"
                columns={TRANSACTIONS}
                rows={found.recentTransactions}
                getKey={({ id }) => id}
              />
            </>
          )}
        </LiveView>
        <Refunds period={period} />
      </Section>
      <Payments />
    </div>
  );
}
