import type { ReactNode } from "react";

import type { paths, StaffPayment, StaffPayments } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { useRecord } from "../../../lib/use-record";
import { formatMoney, formatNumber, NO_VALUE } from "../../../lib/format";
import { Address } from "../../../ui/address";
import { timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { formatPaymentKind, PaymentBadge, PAYMENTS } from "./payment-badge";
import { PaymentDrawer } from "./payment-drawer";
import { Facts } from "../../../ui/facts";
import { Section } from "../../../ui/section";

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
  textColumn("customer", "Customer", ({ customer, id }) => <span data-record={id}>{customer}</span>, {
    className: "break",
    opens: true,
    note: ({ customer, customer_email, organisation }) => (
      <>
        <Address email={customer_email} />
        {organisation && organisation !== customer ? <div>{organisation}</div> : null}
      </>
    ),
  }),
  textColumn("for", "For", ({ kind }) => formatPaymentKind(kind), { hideBelow: "narrow" }),
  textColumn("invoice", "Invoice", ({ invoice_number }) => invoice_number ?? NO_VALUE, {
    hideBelow: "narrow",
    className: "mono small",
  }),
  textColumn("state", "State", ({ status }) => <PaymentBadge status={status} />),
  textColumn("amount", "Amount", ({ amount, currency }) => formatMoney(amount, currency), {
    align: "number",
  }),
  timeColumn("date", "Date", ({ date }) => date, { hideBelow: "narrow" }),
];

function PaymentTotals({ found }: { found: StaffPayments }): ReactNode {
  return (
    <Facts
      className="payment-sums muted"
      facts={[
        ["Payments", formatNumber(found.total)],
        ["Refunded in this range", formatMoney(found.refunded_total)],
      ]}
    />
  );
}

/** Every payment: found, looked at, refunded. */
export function Payments(): ReactNode {
  const record = useRecord();
  const view = useTableView(FILTERS);
  const { payment, state, range } = view.values;
  const query: Query = { search: payment, status: state, range, cursor: view.cursor };
  const payments = useAdminRows([...PAYMENTS, query], () => loadPayments(query));
  const ids = (payments.data?.payments ?? []).map(({ id }) => String(id));
  return (
    <Section id="payments-heading" title="Payments">
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
        onOpen={({ id }) => record.open(id)}
        above={(found) => <PaymentTotals found={found} />}
        empty={{
          title: "No payments yet",
          text: "They appear here as soon as a customer pays.",
        }}
        noMatch={{
          title: "No payment matches",
          text: "A customer is found by a part of the name, address or organisation, a document or PayPal id by all of it.",
        }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
      />
      {record.id === null ? null : <PaymentDrawer place={{ id: record.id, ids, record }} />}
    </Section>
  );
}
