import { useQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import Undo2 from "lucide-react/icons/undo-2";
import { useState, type ReactNode } from "react";

import type { Invoice } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { downloadNamedFile } from "../../../lib/download-file";
import { formatDate, formatMoney, formatShortDate } from "../../../lib/format";
import { getMessage, useAction } from "../../../lib/use-action";
import { useSecondPayment } from "../payments/use-second-payment";
import { navigation } from "../../../lib/session";
import { toSentenceCase } from "../../../lib/labels";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { ListRows } from "../../../ui/data-table/list-rows";
import { RowMenu } from "../../../ui/row-menu";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { SecondPaymentQuestion } from "../payments/second-payment-question";

const AT_FIRST = 5;

const LOOKS: Partial<Record<string, readonly [tone: string, Icon: LucideIcon]>> = {
  paid: ["plain", CircleCheck],
  overdue: ["problem", Clock],
  refunded: ["plain", Undo2],
  credit_note: ["accent", Undo2],
  not_made: ["plain", CircleSlash],
};

function StatusBadge({ status }: { status: string }): ReactNode {
  return <Badge look={[toSentenceCase(status), ...(LOOKS[status] ?? ["plain", Clock])]} />;
}

/** One that has a number and a PDF; a payment that waits, or came to nothing, has neither. */
type IssuedInvoice = Invoice & { id: number; invoice_number: string };

function isIssued(invoice: Invoice): invoice is IssuedInvoice {
  return invoice.id !== null && invoice.invoice_number !== null;
}

function resendInvoice({ id }: IssuedInvoice): Promise<{ message: string }> {
  const params = { path: { invoice_id: id } };
  return readData(api.POST("/api/invoices/{invoice_id}/resend", { params, ...withIdempotencyKey() }));
}

/** Leaves for PayPal, and stays busy then, unless it is waited for a payment that was made before. */
function PayButton({ invoice }: { invoice: IssuedInvoice }): ReactNode {
  const { asking, begun } = useSecondPayment();
  const pay = useAction(async () => {
    const params = { path: { invoice_id: invoice.id } };
    const made = await begun((confirm_second) => {
      const options = { params, body: { confirm_second }, ...withIdempotencyKey() };
      return readData(api.POST("/api/invoices/{invoice_id}/pay", options));
    });
    if (made) navigation.go(made.approval_url);
    return made !== null;
  }, "Failed to process payment");
  return (
    <>
      <Button
        kind="primary"
        busy={pay.isPending || pay.data === true}
        aria-label={`Pay ${invoice.invoice_number} with PayPal`}
        onClick={() => pay.mutate()}
      >
        Pay
      </Button>
      <SecondPaymentQuestion asking={asking} />
    </>
  );
}

/** Open ones can be paid here. */
function isPayable({ payment_status, due_date }: Invoice): boolean {
  return due_date !== null && (payment_status === "pending" || payment_status === "overdue");
}

function InvoiceDates({ invoice }: { invoice: Invoice }): ReactNode {
  const { invoice_date, payment_method, due_date, paid_at } = invoice;
  return (
    <p className="muted small">
      <time dateTime={invoice_date}>{formatDate(invoice_date)}</time>
      {payment_method ? ` · ${payment_method}` : ""}
      {paid_at ? (
        <>
          {" · paid on "}
          <time dateTime={paid_at}>{formatShortDate(paid_at)}</time>
        </>
      ) : null}
      {due_date && isPayable(invoice) ? (
        <>
          {" · due on "}
          <time dateTime={due_date}>{formatDate(due_date)}</time>
        </>
      ) : null}
    </p>
  );
}

function InvoiceActions({ invoice }: { invoice: IssuedInvoice }): ReactNode {
  const saving = useAction(
    () => downloadNamedFile(`/api/invoices/${invoice.id}/pdf`, `${invoice.invoice_number}.pdf`),
    "Failed to download invoice",
  );
  const sending = useAction(() => resendInvoice(invoice), "Failed to resend invoice", { done: getMessage });
  const { invoice_number } = invoice;
  const save = { words: "Download PDF", name: `Download PDF of ${invoice_number}`, act: saving.mutate };
  const send = { words: "Resend", name: `Resend ${invoice_number}`, act: sending.mutate, changes: true };
  const payable = isPayable(invoice);
  return (
    <div className="row">
      {payable ? (
        <PayButton invoice={invoice} />
      ) : (
        <Button busy={saving.isPending} changes={false} aria-label={save.name} onClick={() => save.act()}>
          {save.words}
        </Button>
      )}
      <RowMenu
        row={invoice_number}
        actions={payable ? [save, send] : [send]}
        busy={sending.isPending || (payable && saving.isPending)}
      />
    </div>
  );
}

/** What was bought; of several lines how they add up to the total. */
function InvoiceItems({ invoice }: { invoice: Invoice }): ReactNode {
  const { items, tax_amount } = invoice;
  if (items.length < 2) return <p className="break">{items.map(({ description }) => description).join()}</p>;
  const lines = tax_amount === 0 ? items : [...items, { description: "VAT", amount: tax_amount }];
  return (
    <dl className="invoice-items">
      {lines.map(({ description, amount }, index) => (
        <div key={index}>
          <dt className="break">{description}</dt>
          <dd className="nums">{formatMoney(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

function InvoiceRow({ invoice }: { invoice: Invoice }): ReactNode {
  const { invoice_number, total_amount, payment_status, message } = invoice;
  return (
    <li className="list-row invoice">
      <div className="grow">
        <p className="row">
          {invoice_number ? <strong className="nums">{invoice_number}</strong> : null}
          <StatusBadge status={payment_status} />
        </p>
        <InvoiceItems invoice={invoice} />
        <InvoiceDates invoice={invoice} />
        {message ? <p className="muted">{message}</p> : null}
      </div>
      <strong className="invoice-total nums">{formatMoney(total_amount)}</strong>
      {isIssued(invoice) ? <InvoiceActions invoice={invoice} /> : null}
    </li>
  );
}

function InvoiceList({ invoices }: { invoices: readonly Invoice[] }): ReactNode {
  const [all, setAll] = useState(false);
  const shown = all ? invoices : invoices.slice(0, AT_FIRST);
  return (
    <>
      <ListRows
        rows={shown}
        empty={{
          title: "No invoices yet",
          text: "You get one for each payment, here and by email.",
          action: <ButtonLink href="/dashboard?tab=pricing">See the plans</ButtonLink>,
        }}
        item={(invoice, index) => <InvoiceRow key={invoice.id ?? `none-${index}`} invoice={invoice} />}
      />
      {shown.length < invoices.length ? (
        <div className="row row-between">
          <p className="muted">
            Showing {shown.length} of {invoices.length}
          </p>
          <Button onClick={() => setAll(true)}>Show all</Button>
        </div>
      ) : null}
    </>
  );
}

/** Invoices and credit notes, the newest five at first. */
export function Invoices(): ReactNode {
  const invoices = useQuery({
    queryKey: ["invoices"],
    queryFn: async () => {
      const answer = await readData(api.GET("/api/invoices"));
      return Array.isArray(answer) ? (answer as Invoice[]) : answer.invoices;
    },
  });
  return (
    <Section id="invoices-heading" title="Invoices" card anchor="invoices">
      <Loaded query={invoices} fallback="Failed to load invoices" rows={3}>
        {(found) => <InvoiceList invoices={found} />}
      </Loaded>
    </Section>
  );
}
