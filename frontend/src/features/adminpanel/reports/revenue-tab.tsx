import { CircleCheck, CreditCard } from "lucide-react";
import type { ReactNode } from "react";

import type { Revenue } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber, formatPercent } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Figure } from "../../../ui/figure";
import { LiveView } from "../../../ui/live-view";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { EmptyState, SkeletonReport } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
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

interface RevenueTableProps {
  title: string;
  /** Each with its class. */
  columns: readonly (readonly [string, string])[];
  empty: string;
  children: ReactNode[];
}

function RevenueTable({ title, columns, empty, children }: RevenueTableProps): ReactNode {
  return (
    <section className="stack-4" aria-label={title}>
      <h3>{title}</h3>
      {children.length === 0 ? (
        <div className="card">
          <EmptyState icon={CreditCard} title={empty}>
            Captured payments appear here.
          </EmptyState>
        </div>
      ) : (
        <div className="table-frame">
          <table className="table">
            <TableHead columns={columns} />
            <tbody>{children}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Breakdown({ found }: { found: Revenue }): ReactNode {
  return (
    <RevenueTable
      title="Revenue Breakdown by Plan"
      empty="No revenue in this range"
      columns={[
        ["Plan", ""],
        ["Revenue", "number"],
        ["Customers", "number only-wide"],
        ["Percentage", "number"],
      ]}
    >
      {found.planBreakdown.map((line) => (
        <tr key={line.plan}>
          <td>{line.plan}</td>
          <td className="number">{formatMoney(line.revenue)}</td>
          <td className="number only-wide">{formatNumber(line.customers)}</td>
          <td className="number">{formatPercent(line.percentage / 100)}</td>
        </tr>
      ))}
    </RevenueTable>
  );
}

function Transactions({ found }: { found: Revenue }): ReactNode {
  return (
    <RevenueTable
      title="Recent Transactions"
      empty="No transactions in this range"
      columns={[
        ["Customer", ""],
        ["Amount", "number"],
        ["Plan", "only-wide"],
        ["Date", "only-wide"],
        ["Status", ""],
      ]}
    >
      {found.recentTransactions.map((line) => (
        <tr key={line.id}>
          <td className="break">{line.customer}</td>
          <td className="number">{formatMoney(line.amount)}</td>
          <td className="only-wide">{line.plan}</td>
          <td className="only-wide muted">
            <Time at={line.date} />
          </td>
          <td>
            <span className="badge tone-valid">
              <CircleCheck size={14} strokeWidth={2.5} aria-hidden />
              Completed
            </span>
          </td>
        </tr>
      ))}
    </RevenueTable>
  );
}

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
      <section className="stack-4" aria-labelledby="revenue-heading">
        <div className="report-head">
          <h2 id="revenue-heading">Revenue</h2>
          <div className="segments-wide">
            <SegmentedControl
              label="Range"
              options={PERIODS}
              value={period}
              onChange={(next) => setUrl({ period: next === "30d" ? null : next })}
            />
          </div>
        </div>
        <LiveView query={revenue} fallback="Failed to load revenue" rows={<SkeletonReport figures={4} />}>
          {(found) => (
            <>
              <RevenueCards found={found} />
              <Breakdown found={found} />
              <Transactions found={found} />
            </>
          )}
        </LiveView>
        <Refunds period={period} />
      </section>
      <Payments />
    </div>
  );
}
