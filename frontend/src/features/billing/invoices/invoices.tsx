import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash, Clock, Receipt, Undo2, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Invoice } from "../../../api/types";
import { api, authorisedFetch, dataOf, oncePerPress } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { messageOf } from "../../../lib/errors";
import { formatDate, formatMoney, formatShortDate } from "../../../lib/format";
import { useSecondPayment } from "../payments/use-second-payment";
import { navigation } from "../../../lib/session";
import { sentenceCase } from "../../../lib/words";
import { Button } from "../../../ui/button";
import { Empty, Loaded } from "../../../ui/states";
import { SecondPaymentQuestion } from "../payments/second-payment";

const AT_FIRST = 5;

const LOOKS: Partial<Record<string, [string, LucideIcon]>> = {
  paid: ["valid", CircleCheck],
  overdue: ["invalid", Clock],
  refunded: ["unknown", Undo2],
  credit_note: ["accent", Undo2],
  not_made: ["unknown", CircleSlash],
};

function StatusBadge({ status }: { status: string }): ReactNode {
  const [tone, Icon] = LOOKS[status] ?? ["risky", Clock];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {sentenceCase(status)}
    </span>
  );
}

/** One that has a number and a PDF; a payment that waits, or came to nothing, has neither. */
type Issued = Invoice & { id: number; invoice_number: string };

function isIssued(invoice: Invoice): invoice is Issued {
  return invoice.id !== null && invoice.invoice_number !== null;
}

async function download({ id, invoice_number }: Issued): Promise<void> {
  const answer = await authorisedFetch(new Request(new URL(`/api/invoices/${id}/pdf`, location.origin)));
  saveBlob(await answer.blob(), `${invoice_number}.pdf`);
}

function resend({ id }: Issued): Promise<{ message: string }> {
  const params = { path: { invoice_id: id } };
  return dataOf(api.POST("/api/invoices/{invoice_id}/resend", { params, ...oncePerPress() }));
}

/** Leaves for PayPal, and stays busy then, unless it is waited for a payment that was made before. */
function PayButton({ invoice }: { invoice: Issued }): ReactNode {
  const { asking, begun } = useSecondPayment();
  const pay = useMutation({
    mutationFn: async () => {
      const params = { path: { invoice_id: invoice.id } };
      const made = await begun((confirm_second) => {
        const options = { params, body: { confirm_second }, ...oncePerPress() };
        return dataOf(api.POST("/api/invoices/{invoice_id}/pay", options));
      });
      if (made) navigation.go(made.approval_url);
      return made !== null;
    },
    onError: (error) => toast.error(messageOf(error, "Failed to process payment")),
  });
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

function When({ invoice }: { invoice: Invoice }): ReactNode {
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

function Actions({ invoice }: { invoice: Issued }): ReactNode {
  const saving = useMutation({
    mutationFn: () => download(invoice),
    onError: (error) => toast.error(messageOf(error, "Failed to download invoice")),
  });
  const sending = useMutation({
    mutationFn: () => resend(invoice),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(messageOf(error, "Failed to resend invoice")),
  });
  return (
    <div className="row">
      {isPayable(invoice) ? <PayButton invoice={invoice} /> : null}
      <Button
        busy={saving.isPending}
        changes={false}
        aria-label={`Download PDF of ${invoice.invoice_number}`}
        onClick={() => saving.mutate()}
      >
        Download PDF
      </Button>
      <Button
        busy={sending.isPending}
        aria-label={`Resend ${invoice.invoice_number}`}
        onClick={() => sending.mutate()}
      >
        Resend
      </Button>
    </div>
  );
}

/** What was bought; of several lines how they add up to the total. */
function Items({ invoice }: { invoice: Invoice }): ReactNode {
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

function Row({ invoice }: { invoice: Invoice }): ReactNode {
  const { invoice_number, total_amount, payment_status, message } = invoice;
  return (
    <li className="list-row invoice">
      <div className="grow">
        <p className="row">
          {invoice_number ? <strong className="nums">{invoice_number}</strong> : null}
          <StatusBadge status={payment_status} />
        </p>
        <Items invoice={invoice} />
        <When invoice={invoice} />
        {message ? <p className="muted">{message}</p> : null}
      </div>
      <strong className="invoice-total nums">{formatMoney(total_amount)}</strong>
      {isIssued(invoice) ? <Actions invoice={invoice} /> : null}
    </li>
  );
}

function List({ invoices }: { invoices: readonly Invoice[] }): ReactNode {
  const [all, setAll] = useState(false);
  if (invoices.length === 0) {
    return (
      <Empty icon={Receipt} title="No invoices yet">
        You get one for each payment, here and by email.
      </Empty>
    );
  }
  const shown = all ? invoices : invoices.slice(0, AT_FIRST);
  return (
    <>
      <ul className="list-rows">
        {shown.map((invoice, index) => (
          <Row key={invoice.id ?? `none-${index}`} invoice={invoice} />
        ))}
      </ul>
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
      const answer = await dataOf(api.GET("/api/invoices"));
      return Array.isArray(answer) ? (answer as Invoice[]) : answer.invoices;
    },
  });
  return (
    <section className="card stack-4 anchor" id="invoices" aria-labelledby="invoices-heading">
      <h2 id="invoices-heading">Invoices</h2>
      <Loaded query={invoices} fallback="Failed to load invoices" rows={3}>
        {(found) => <List invoices={found} />}
      </Loaded>
    </section>
  );
}
