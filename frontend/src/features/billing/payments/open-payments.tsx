import type { ReactNode } from "react";

import type { PendingPayment } from "../../../api/types";
import { formatDateTime, formatMoney } from "../../../lib/format";
import { useEnded, useOpenPayments, type Ended } from "./use-open-payments";
import { Button } from "../../../ui/button";
import { Notice } from "./notice";

function Waiting({ payment }: { payment: PendingPayment }): ReactNode {
  const { amount, currency, what, since } = payment;
  return (
    <Notice>
      Your payment of {formatMoney(amount, currency)} for {what} is waiting for PayPal since{" "}
      <time dateTime={since}>{formatDateTime(since)}</time>. You do not need to do anything.
    </Notice>
  );
}

function End({ end: { state, message } }: Ended): ReactNode {
  return <Notice tone={state === "paid" ? "success" : "danger"}>{message}</Notice>;
}

/** The payments that PayPal holds back, and what became of those that waited before. */
export function OpenPayments(): ReactNode {
  const open = useOpenPayments();
  const ended = useEnded(open.data);
  return (
    <>
      {open.isError && !open.data ? (
        <Notice tone="danger" action={<Button onClick={() => void open.refetch()}>Retry</Button>}>
          Failed to load the payments that wait for PayPal
        </Notice>
      ) : null}
      {open.data?.map((payment) => (
        <Waiting key={payment.id} payment={payment} />
      ))}
      {ended.map((one) => (
        <End key={one.id} {...one} />
      ))}
    </>
  );
}
