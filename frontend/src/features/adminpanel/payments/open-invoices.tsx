import { Clock } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { OpenInvoice } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatDate, formatMoney, formatCount } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { useForm } from "../../../lib/use-form";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { SearchField } from "../../../ui/filters";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { Loaded } from "../../../ui/states";
import { PageButtons, usePages } from "../pagination";
import { OPEN_INVOICES } from "../../quotes/custom-plans/plan-features";

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

function useUnpaidInvoices(search: string, cursor: string) {
  const query = { search, cursor };
  return useAdminQuery([...OPEN_INVOICES, query], () =>
    readData(api.GET("/api/admin/invoices/open", { params: { query } })),
  );
}

/** Plans that were given unpaid, and what is owed for them; nothing while there are none. */
export function OpenInvoices(): ReactNode {
  const [url, setUrl] = useUrlState();
  const search = url.get("invoice") ?? "";
  const [cursors, setCursors] = usePages(search);
  const open = useUnpaidInvoices(search, cursors.at(-1) ?? "");
  if (!open.isError && search === "" && !open.data?.total) return null;
  return (
    <section className="card stack-4" aria-labelledby="open-invoices-heading">
      <h2 id="open-invoices-heading">Open invoices</h2>
      <SearchField
        label="Search open invoices"
        hint="Search by number, quote or customer"
        value={search}
        onSearch={(invoice) => setUrl({ invoice }, "replace")}
      />
      <Loaded query={open} fallback="Failed to load open invoices" rows={2}>
        {(found) => (
          <>
            <ul className="list-rows">
              {found.invoices.map((invoice) => (
                <InvoiceEntry key={invoice.id} invoice={invoice} />
              ))}
            </ul>
            <div className="row row-between">
              <p className="muted small nums">{formatCount(found.total, "open invoice")}</p>
              <PageButtons
                next={found.next}
                cursors={cursors}
                onChange={setCursors}
                words={["Previous", "Next"]}
              />
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}
