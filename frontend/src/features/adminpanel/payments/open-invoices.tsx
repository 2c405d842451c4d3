import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { OpenInvoice } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatDate, formatMoney } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Badge, type Look } from "../../../ui/badge";
import { DialogButton } from "../../../ui/dialog-button";
import { EntryField } from "../../../ui/form";
import { OPEN_INVOICES } from "../../quotes/custom-plans/plan-features";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager } from "../../../ui/data-table/pager";
import { reloadAdmin, useAdminRows } from "../use-admin-query";
import { FormDialog } from "../../../ui/form-dialog";
import { Section } from "../../../ui/section";

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
      void reloadAdmin(...OPEN_INVOICES);
      onClose();
    },
    fallback: FAILED,
  });
}

function PaidDialog({ invoice, onClose }: { invoice: OpenInvoice; onClose: () => void }): ReactNode {
  const form = useMarkPaid(invoice, onClose);
  return (
    <FormDialog title={`Mark ${invoice.number} as paid?`} onClose={onClose} form={form} action="Mark as paid">
      <p className="break">
        {formatMoney(invoice.amount, invoice.currency)} of {invoice.organisation || invoice.customer} came in
        another way than by PayPal. The invoice is mailed to the customer as paid; this cannot be undone.
      </p>
      <EntryField
        form={form}
        name="paid_with"
        label="Paid with"
        hint="Stands on the invoice; kept with your name."
        maxLength={60}
        required
      />
    </FormDialog>
  );
}

const OVERDUE: Look = ["Overdue", "problem", Clock];
const PENDING: Look = ["Pending", "plain", Clock];

function InvoiceEntry({ invoice }: { invoice: OpenInvoice }): ReactNode {
  const { number, quote_id, customer, customer_email, organisation, amount, currency, due_date, status } =
    invoice;
  const look = status === "overdue" ? OVERDUE : PENDING;
  return (
    <li className="list-row quote-request-row" aria-label={number}>
      <div className="grow stack-1">
        <p className="row">
          <strong className="nums">{formatMoney(amount, currency)}</strong>
          <Badge look={look} />
          <span className="muted small">
            due on <time dateTime={due_date}>{formatDate(due_date)}</time>
          </span>
        </p>
        <p className="muted small break">
          <span className="mono">{number}</span> · {customer}
          {customer_email ? ` · ${customer_email}` : ""}
          {organisation && organisation !== customer ? ` · ${organisation}` : ""}
          {quote_id ? ` · ${quote_id}` : ""}
        </p>
      </div>
      <DialogButton
        aria-label={`Mark ${number} as paid`}
        dialog={(close) => <PaidDialog invoice={invoice} onClose={close} />}
      >
        Mark as paid
      </DialogButton>
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
    <Section id="open-invoices-heading" title="Open invoices" card>
      <FilterBar view={view} />
      <QueryList
        query={open}
        fallback="Failed to load open invoices"
        skeleton={2}
        view={view}
        pick={(found) => found.invoices}
        empty={{ title: "No open invoices", plain: true }}
        noMatch={{ title: "No open invoice matches" }}
        foot={(found) => <CursorPager {...found} view={view} thing="open invoice" />}
        item={(invoice) => <InvoiceEntry key={invoice.id} invoice={invoice} />}
      />
    </Section>
  );
}
