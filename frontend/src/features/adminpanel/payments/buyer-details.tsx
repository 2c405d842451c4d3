import { useState, type ReactNode } from "react";

import type { InvoiceBuyer, StaffPaymentDetail } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Failure, FormBox, TextField } from "../../../ui/form";

const MOST_LETTERS = 500;
const LINES = [
  ["name", "Name"],
  ["company", "Company"],
  ["address", "Address"],
  ["email", "E-mail"],
  ["vat_id", "VAT number"],
] as const;

interface ReasonFormProps {
  invoiceId: number;
  onFound: (buyer: InvoiceBuyer) => void;
}

function ReasonForm({ invoiceId, onFound }: ReasonFormProps): ReactNode {
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    send: async ({ reason }) => {
      const params = { path: { invoice_id: invoiceId } };
      const body = { reason: reason.trim() };
      onFound(await readData(api.POST("/api/admin/invoices/{invoice_id}/buyer", { params, body })));
      return true;
    },
    fallback: "Failed to load the buyer",
  });
  return (
    <FormBox form={form}>
      <TextField
        form={form}
        name="reason"
        label="Why do you need it?"
        hint="It goes into the audit, and into the activity of the account while there is one."
        maxLength={MOST_LETTERS}
        autoComplete="off"
      />
      <Failure>{form.failure}</Failure>
      <div className="row">
        <Button type="submit" busy={form.busy}>
          Show name and address
        </Button>
      </div>
    </FormBox>
  );
}

/** Who bought, as the invoice says; shown with a reason alone. */
export function BuyerDetails({ payment }: { payment: StaffPaymentDetail }): ReactNode {
  const { invoice_id, names_buyer } = payment;
  const [asking, setAsking] = useState(false);
  const [buyer, setBuyer] = useState<InvoiceBuyer | null>(null);
  if (invoice_id === null || !names_buyer) return null;
  if (buyer) {
    return (
      <section className="stack-2" aria-labelledby="buyer-heading" aria-live="polite">
        <h3 id="buyer-heading">Billed to</h3>
        <dl className="facts">
          {LINES.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd className="break">{buyer[name] || NO_VALUE}</dd>
            </div>
          ))}
        </dl>
      </section>
    );
  }
  return asking ? (
    <ReasonForm invoiceId={invoice_id} onFound={setBuyer} />
  ) : (
    <div className="row">
      <Button onClick={() => setAsking(true)}>Billed to…</Button>
    </div>
  );
}
