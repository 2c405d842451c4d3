import CircleCheck from "lucide-react/icons/circle-check";
import CircleMinus from "lucide-react/icons/circle-minus";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { StaffPaymentDetail } from "../../../api/types";
import { reloadAdmin, useAdminQuery } from "../use-admin-query";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatDateTime, formatMoney, NO_VALUE, formatCount } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Facts, type Fact } from "../../../ui/facts";
import { DialogForm } from "../../../ui/form-foot";
import { RecordDrawer, type RecordPlace } from "../../../ui/record-drawer";
import { ReasonField } from "../../../ui/reason-form";
import { Loaded } from "../../../ui/states";
import { BuyerDetails } from "./buyer-details";
import { formatPaymentKind, PaymentBadge, PAYMENTS } from "./payment-badge";

interface PaymentProps {
  payment: StaffPaymentDetail;
}

function PaymentFacts({ payment }: PaymentProps): ReactNode {
  const { amount, currency, status, date, description, invoice_number, paypal_id, kind, learnt_at } = payment;
  const lines: Fact[] = [
    ["Organisation", payment.organisation || NO_VALUE],
    ["Amount", <strong key="amount">{formatMoney(amount, currency)}</strong>],
    ["State", <PaymentBadge key="state" status={status} />],
    ["Date at PayPal", formatDateTime(date)],
    ["Known to us since", learnt_at ? formatDateTime(learnt_at) : NO_VALUE],
    ["For", `${formatPaymentKind(kind)}: ${description}`],
    ["Invoice", invoice_number ?? NO_VALUE],
    ["PayPal ID", <code key="id">{paypal_id}</code>],
  ];
  return <Facts facts={lines} />;
}

function Guarantee({ payment }: PaymentProps): ReactNode {
  const { guarantee_applies: applies, guarantee_reason } = payment;
  const Icon = applies ? CircleCheck : CircleMinus;
  return (
    <div className="notice tone-plain" role="note">
      <p className="row guarantee">
        <Icon className="tone-text" size={18} aria-hidden />
        <span>
          <strong>
            {applies ? "The 30-day guarantee applies." : "The 30-day guarantee does not apply."}
          </strong>{" "}
          {guarantee_reason}
        </span>
      </p>
    </div>
  );
}

function RefundEffects({ payment }: PaymentProps): ReactNode {
  const { amount, currency, customer_email, credits_unspent, ends_plan } = payment;
  const organisation = payment.organisation || "a deleted organisation";
  return (
    <ul className="bullets break">
      <li>
        {formatMoney(amount, currency)} that {organisation} paid goes back through PayPal, in full. This
        cannot be undone.
      </li>
      <li>
        The credits it brought are taken back from {organisation}: {formatCount(credits_unspent, "credit")}{" "}
        unspent; what was spent is owed and taken from credits that come in later.
      </li>
      {ends_plan ? <li>The plan ends now, and its PayPal agreement is cancelled.</li> : null}
      <li>
        A credit note is issued{customer_email ? ` and mailed to ${customer_email}` : ""}; the refund is on
        record with your name.
      </li>
    </ul>
  );
}

async function sendRefund(id: number, reason: string): Promise<void> {
  const { message } = await readData(
    api.POST("/api/admin/payments/{payment_id}/refund", {
      params: { path: { payment_id: id } },
      ...withIdempotencyKey(),
      body: { reason },
    }),
  );
  toast.success(message);
}

function RefundForm({ payment }: PaymentProps): ReactNode {
  const form = useForm({
    defaults: { reason: "" },
    check: ({ reason }) => (reason.trim() === "" ? { reason: "Enter a reason" } : {}),
    send: async ({ reason }) => {
      try {
        await sendRefund(payment.id, reason.trim());
      } finally {
        await reloadAdmin(...PAYMENTS);
      }
    },
    fallback: "Failed to refund payment",
    says: "toast",
  });
  return (
    <DialogForm form={form} action={`Refund ${formatMoney(payment.amount, payment.currency)}`} kind="danger">
      <h3>Refund this payment</h3>
      <RefundEffects payment={payment} />
      <ReasonField form={form} hint="The customer reads this on the credit note, so name nobody." rows={2} />
    </DialogForm>
  );
}

function RefundNotice({ payment }: PaymentProps): ReactNode {
  const { refund } = payment;
  if (refund === null) return null;
  return (
    <div className="notice" role="note">
      <p>
        {refund.date === null
          ? "A refund was asked for. PayPal has not confirmed it yet; it is asked again every few minutes."
          : `${formatMoney(refund.amount, payment.currency)} refunded on ${formatDateTime(refund.date)}.`}{" "}
        Reason: {refund.reason}
      </p>
    </div>
  );
}

function DrawerBody({ payment }: PaymentProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const open = payment.status === "captured" && payment.refund === null;
  return (
    <div className="stack-4">
      <PaymentFacts payment={payment} />
      <BuyerDetails payment={payment} />
      <RefundNotice payment={payment} />
      {open ? <Guarantee payment={payment} /> : null}
      {open && asking ? <RefundForm payment={payment} /> : null}
      {open && !asking ? (
        <div className="row">
          <Button onClick={() => setAsking(true)}>Refund…</Button>
        </div>
      ) : null}
    </div>
  );
}

/** A payment with what a refund would do, and the refund. */
export function PaymentDrawer({ place }: { place: RecordPlace }): ReactNode {
  const id = Number(place.id);
  const payment = useAdminQuery([...PAYMENTS, id], () =>
    readData(api.GET("/api/admin/payments/{payment_id}", { params: { path: { payment_id: id } } })),
  );
  const { data } = payment;
  const title = data ? `Payment of ${data.customer}` : "Payment";
  return (
    <RecordDrawer place={place} title={title} description={data?.customer_email}>
      <Loaded query={payment} fallback="Failed to load the payment" rows={6}>
        {(found) => <DrawerBody key={found.id} payment={found} />}
      </Loaded>
    </RecordDrawer>
  );
}
