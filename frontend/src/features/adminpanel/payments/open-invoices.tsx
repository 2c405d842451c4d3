import Clock from "lucide-react/icons/clock";
import Receipt from "lucide-react/icons/receipt";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { OpenInvoice } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatDate, formatMoney, formatCount } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { OPEN_INVOICES } from "../../quotes/custom-plans/plan-features";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager } from "../../../ui/data-table/pager";
import { useAdminRows } from "../use-admin-query";

const FAILED = "Failed to mark the invoice as paid";

function useMarkPaid(invoice: OpenInvoice, onClose: () => void) {
  return useForm({
    defaults: { paid_with: "Bank transfer" },
    check: ({ paid_with }) => (paid_with.trim() === "" ? { paid_with: "Say how it was paid" } : {}),
    send: async ({ paid_with }) => {
      const params = { path: { invoice_id: invoice.id } };
      const body = { paid_with: paid_with.trim() };
      const call = api.POST("/api/admin/invoices/{invoice_id}/paid", {
        params,
        body,
        ...withIdempotencyKey(),
      });
      toast.success((await readData(call)).message);
      void queryClient.invalidateQueries({ queryKey: ["admin", ...OPEN_INVOICES] });
      onClose();
    },
    fallback: FAILED,
  });
}

function PaidDialog({ invoice, onClose }: { invoice: OpenInvoice; onClose: () => void }): ReactNode {
  const form = useMarkPaid(invoice, onClose);
  return (
    <Dialog title={`Mark ${invoice.number} as paid?`} onClose={onClose}>
      <FormBox form={form}>
        <p className="break">
          {formatMoney(invoice.amount, invoice.currency)} of {invoice.customer} came in another way than by
          PayPal. The invoice is mailed to the customer as paid; this cannot be undone.
        </p>
        <TextField
          form={form}
          name="paid_with"
          label="Paid with"
          hint="Stands on the invoice; kept with your name."
          maxLength={60}
          autoComplete="off"
          required
        />
        <Failure>{form.failure}</Failure>
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            Mark as paid
          </Button>
        </div>
      </FormBox>
    </Dialog>
  );
}

function InvoiceEntry({ invoice }: { invoice: OpenInvoice }): ReactNode {
  const [asking, setAsking] = useState(false);
  const { number, quote_id, customer, customer_email, amount, currency, due_date, status } = invoice;
  const late = status === "overdue";
  return (
    <li className="list-row quote-request-row" aria-label={number}>
      <div className="grow stack-1">
        <p className="row">
          <strong className="nums">{formatMoney(amount, currency)}</strong>
          <span className={`badge tone-${late ? "invalid" : "risky"}`}>
            <Clock size={14} strokeWidth={2.5} aria-hidden />
            {late ? "Overdue" : "Pending"}
          </span>
          <span className="muted small">
            due on <time dateTime={due_date}>{formatDate(due_date)}</time>
          </span>
        </p>
        <p className="muted small break">
          <span className="mono">{number}</span> · {customer}
          {customer_email ? ` · ${customer_email}` : ""}
          {quote_id ? ` · ${quote_id}` : ""}
        </p>
      </div>
      <Button aria-label={`Mark ${number} as paid`} onClick={() => setAsking(true)}>
        Mark as paid
      </Button>
      {asking ? <PaidDialog invoice={invoice} onClose={() => setAsking(false)} /> : null}
    </li>
  );
}

const FILTERS = { invoice: { label: "Search open invoices", hint: "Search by number, quote or customer" } };

/** Plans that were given unpaid, and what is owed for them; nothing while there are none. */
export function OpenInvoices(): ReactNode {
  const view = useTableView(FILTERS);
  const query = { search: view.values.invoice, cursor: view.cursor };
  const open = useAdminRows([...OPEN_INVOICES, query], () =>
    readData(api.GET("/api/admin/invoices/open", { params: { query } })),
  );
  if (!open.isError && !view.filtered && !open.data?.total) return null;
  return (
    <section className="card stack-4" aria-labelledby="open-invoices-heading">
      <h2 id="open-invoices-heading">Open invoices</h2>
      <FilterBar view={view} />
      <QueryList
        query={open}
        fallback="Failed to load open invoices"
        skeleton={2}
        view={view}
        pick={(found) => found.invoices}
        empty={{ icon: Receipt, title: "No open invoices" }}
        noMatch={{ title: "No open invoice matches" }}
        foot={({ next, total }) => (
          <CursorPager view={view} next={next}>
            {formatCount(total, "open invoice")}
          </CursorPager>
        )}
        className="list-rows"
        item={(invoice) => <InvoiceEntry key={invoice.id} invoice={invoice} />}
      />
    </section>
  );
}
