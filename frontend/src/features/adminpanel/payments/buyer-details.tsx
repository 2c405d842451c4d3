import { useState, type ReactNode } from "react";

import type { InvoiceBuyer, StaffPaymentDetail } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { Facts } from "../../../ui/facts";
import { ReasonForm } from "../../../ui/reason-form";

const LINES = [
  ["name", "Name"],
  ["company", "Company"],
  ["address", "Address"],
  ["email", "E-mail"],
  ["vat_id", "VAT number"],
] as const;

/** Who bought, as the invoice says; shown with a reason alone. */
export function BuyerDetails({ payment }: { payment: StaffPaymentDetail }): ReactNode {
  const { invoice_id, names_buyer } = payment;
  const [asking, setAsking] = useState(false);
  const [buyer, setBuyer] = useState<InvoiceBuyer | null>(null);
  if (invoice_id === null || !names_buyer) return null;
  const showBuyer = async (reason: string) => {
    const params = { path: { invoice_id } };
    const body = { reason };
    setBuyer(await readData(api.POST("/api/admin/invoices/{invoice_id}/buyer", { params, body })));
    return true;
  };
  if (buyer) {
    return (
      <section className="stack-2" aria-labelledby="buyer-heading" aria-live="polite">
        <h3 id="buyer-heading">Billed to</h3>
        <Facts facts={LINES.map(([name, label]) => [label, buyer[name] || NO_VALUE])} />
      </section>
    );
  }
  return asking ? (
    <ReasonForm
      label="Why do you need it?"
      hint="It goes into the audit, and into the activity of the account while there is one."
      action="Show name and address"
      kind="plain"
      failed="Failed to load the buyer"
      send={showBuyer}
    />
  ) : (
    <div className="row">
      <Button onClick={() => setAsking(true)}>Billed to…</Button>
    </div>
  );
}
