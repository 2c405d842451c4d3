import type { ReactNode } from "react";

import type { PendingPayment } from "../../../api/types";
import { formatDateTime, formatMoney } from "../../../lib/format";
import { useEndedPayments, useOpenPayments, type EndedPayment } from "./use-open-payments";
import { Button } from "../../../ui/button";
import { PaymentNotice } from "./payment-notice";

function WaitingPayments({ payment }: { payment: PendingPayment }): ReactNode {
  const { amount, currency, what, since } = payment;
  return (
    <PaymentNotice>
      Your payment of {formatMoney(amount, currency)} for {what} is waiting for PayPal since{" "}
      <time dateTime={since}>{formatDateTime(since)}</time>. You do not need to do anything.
    </PaymentNotice>
  );
}

function EndedPaymentNotice({ end: { state, message } }: EndedPayment): ReactNode {
  return <PaymentNotice tone={state === "paid" ? "success" : "danger"}>{message}</PaymentNotice>;
}

/** The payments that PayPal holds back, and what became of those that waited before. */
export function OpenPayments(): ReactNode {
  const open = useOpenPayments();
  const ended = useEndedPayments(open.data);
  return (
    <>
      {open.isError && !open.data ? (
        <PaymentNotice tone="danger" action={<Button onClick={() => void open.refetch()}>Retry</Button>}>
          Failed to load the payments that wait for PayPal
        </PaymentNotice>
      ) : null}
      {open.data?.map((payment) => (
        <WaitingPayments key={payment.id} payment={payment} />
      ))}
      {ended.map((one) => (
        <EndedPaymentNotice key={one.id} {...one} />
      ))}
    </>
  );
}
