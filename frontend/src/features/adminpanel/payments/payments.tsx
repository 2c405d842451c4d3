import CreditCard from "lucide-react/icons/credit-card";
import { useState, type ReactNode } from "react";

import type { paths, StaffPayment, StaffPayments } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber, NO_VALUE } from "../../../lib/format";
import { timeColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { formatPaymentKind, PaymentBadge, PAYMENTS } from "./payment-badge";
import { PaymentDialog } from "./payment-dialog";

const STATUSES = [
  ["", "All states"],
  ["captured", "Captured"],
  ["refunded", "Refunded"],
  ["pending", "Pending"],
  ["failed", "Failed"],
] as const;
const RANGES = [
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
  ["90d", "Last 90 days"],
  ["1y", "Last year"],
  ["all", "All time"],
] as const;

const FILTERS = {
  payment: { label: "Search payments", hint: "Customer, invoice or PayPal ID" },
  state: { label: "State", options: STATUSES },
  range: { label: "Range", options: RANGES, otherwise: "all" },
};

type Query = Required<NonNullable<paths["/api/admin/payments"]["get"]["parameters"]["query"]>>;

function loadPayments(query: Query): Promise<StaffPayments> {
  return readData(api.GET("/api/admin/payments", { params: { query } }));
}

const COLUMNS: readonly Column<StaffPayment>[] = [
  {
    key: "customer",
    title: "Customer",
    className: "break",
    opens: true,
    cell: ({ customer }) => customer,
    note: ({ customer_email }) => customer_email,
  },
  { key: "for", title: "For", hideBelow: "narrow", cell: ({ kind }) => formatPaymentKind(kind) },
  {
    key: "invoice",
    title: "Invoice",
    hideBelow: "narrow",
    className: "mono small",
    cell: ({ invoice_number }) => invoice_number ?? NO_VALUE,
  },
  { key: "state", title: "State", cell: ({ status }) => <PaymentBadge status={status} /> },
  {
    key: "amount",
    title: "Amount",
    align: "number",
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  timeColumn("date", "Date", ({ date }) => date, { hideBelow: "narrow" }),
];

function PaymentTotals({ found }: { found: StaffPayments }): ReactNode {
  return (
    <dl className="payment-sums muted">
      <div>
        <dt>Payments</dt>
        <dd>{formatNumber(found.total)}</dd>
      </div>
      <div>
        <dt>Refunded in this range</dt>
        <dd>{formatMoney(found.refunded_total)}</dd>
      </div>
    </dl>
  );
}

/** Every payment: found, looked at, refunded. */
export function Payments(): ReactNode {
  const [open, setOpen] = useState<number | null>(null);
  const view = useTableView(FILTERS);
  const { payment, state, range } = view.values;
  const query: Query = { search: payment, status: state, range, cursor: view.cursor };
  const payments = useAdminRows([...PAYMENTS, query], () => loadPayments(query));
  return (
    <section className="stack-4" aria-labelledby="payments-heading">
      <h2 id="payments-heading">Payments</h2>
      <FilterBar view={view} />
      <QueryTable
        label="Payments"
        query={payments}
        fallback="Failed to load payments"
        skeleton={6}
        view={view}
        columns={COLUMNS}
        pick={(found) => found.payments}
        getKey={({ id }) => id}
        onOpen={({ id }) => setOpen(id)}
        above={(found) => <PaymentTotals found={found} />}
        empty={{
          icon: CreditCard,
          title: "No payments yet",
          text: "They appear here as soon as a customer pays.",
        }}
        noMatch={{
          title: "No payment matches",
          text: "A customer is found by a part of the name or address, a document or PayPal id by all of it.",
        }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
      />
      {open === null ? null : <PaymentDialog id={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
