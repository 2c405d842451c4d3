import { CreditCard, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { paths, StaffPayment, StaffPayments } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatNumber, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../select";
import { PageButtons, usePages } from "../pagination";
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

type Query = Required<NonNullable<paths["/api/admin/payments"]["get"]["parameters"]["query"]>>;

function loadPayments(query: Query): Promise<StaffPayments> {
  return readData(api.GET("/api/admin/payments", { params: { query } }));
}

function PaymentRow({ payment, onOpen }: { payment: StaffPayment; onOpen: () => void }): ReactNode {
  const { customer, customer_email, amount, currency, status, date, invoice_number } = payment;
  return (
    <tr>
      <td className="break">
        <button type="button" className="row-open" onClick={onOpen}>
          {customer}
        </button>
        <div className="muted small break">{customer_email}</div>
      </td>
      <td className="only-wide">{formatPaymentKind(payment.kind)}</td>
      <td className="only-wide mono small">{invoice_number ?? NO_VALUE}</td>
      <td>
        <PaymentBadge status={status} />
      </td>
      <td className="number">{formatMoney(amount, currency)}</td>
      <td className="only-wide muted">
        <Time at={date} />
      </td>
    </tr>
  );
}

const COLUMNS = [
  ["Customer", ""],
  ["For", "only-wide"],
  ["Invoice", "only-wide"],
  ["State", ""],
  ["Amount", "number"],
  ["Date", "only-wide"],
] as const;

interface PaymentTableProps {
  found: StaffPayments;
  filtered: boolean;
  onClear: () => void;
  onOpen: (id: number) => void;
}

function PaymentTable({ found, filtered, onClear, onOpen }: PaymentTableProps): ReactNode {
  if (found.payments.length === 0) {
    return filtered ? (
      <EmptyState
        icon={SearchX}
        title="No payment matches"
        action={<Button onClick={onClear}>Clear filters</Button>}
      >
        A customer is found by a part of the name or address, a document or PayPal id by all of it.
      </EmptyState>
    ) : (
      <EmptyState icon={CreditCard} title="No payments yet">
        They appear here as soon as a customer pays.
      </EmptyState>
    );
  }
  return (
    <div className="table-frame">
      <table className="table table-rows">
        <TableHead columns={COLUMNS} />
        <tbody>
          {found.payments.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} onOpen={() => onOpen(payment.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
  const [url, setUrl] = useUrlState();
  const [open, setOpen] = useState<number | null>(null);
  const search = url.get("payment") ?? "";
  const status = findOption(STATUSES, url.get("state"), "");
  const range = findOption(RANGES, url.get("range"), "all");
  const [cursors, setCursors] = usePages([search, status, range].join("\n"));
  const query: Query = { search, status, range, cursor: cursors.at(-1) ?? "" };
  const payments = useAdminQuery([...PAYMENTS, query], () => loadPayments(query));
  return (
    <section className="stack-4" aria-labelledby="payments-heading">
      <h2 id="payments-heading">Payments</h2>
      <div className="toolbar">
        <SearchField
          label="Search payments"
          hint="Customer, invoice or PayPal ID"
          value={search}
          onSearch={(value) => setUrl({ payment: value }, "replace")}
        />
        <Select label="State" value={status} options={STATUSES} onChange={(state) => setUrl({ state })} />
        <Select label="Range" value={range} options={RANGES} onChange={(value) => setUrl({ range: value })} />
      </div>
      <Loaded query={payments} fallback="Failed to load payments" rows={6}>
        {(found) => (
          <>
            <PaymentTotals found={found} />
            <PaymentTable
              found={found}
              filtered={search + status !== "" || range !== "all"}
              onClear={() => setUrl({ payment: null, state: null, range: null })}
              onOpen={setOpen}
            />
            <PageButtons next={found.next} cursors={cursors} onChange={setCursors} />
          </>
        )}
      </Loaded>
      {open === null ? null : <PaymentDialog id={open} onClose={() => setOpen(null)} />}
    </section>
  );
}
