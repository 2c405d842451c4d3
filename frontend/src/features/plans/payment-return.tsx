import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { PaymentState } from "../../api/types";
import { api, dataOf } from "../../lib/client";
import { messageOf } from "../../lib/errors";
import { navigation } from "../../lib/session";
import { useUrlState } from "../../lib/url-state";
import { Button, ButtonLink } from "../../ui/button";
import { SkeletonCards } from "../../ui/states";

const SHOWN_MS = 10_000;
const SOON_MS = 3_000;
const LATER_MS = 30_000;
const RELOAD_AFTER_MS = 2_000;
const TIMES_SOON = 20;

/** Where a buyer comes back to. */
export interface Place {
  /** The tab that is shown there. */
  tab: string;
  /** What is said when the buyer turned back at PayPal. */
  cancelled: string;
  /** Where to try again, unless it is in sight. */
  again?: { short: string; label: string; href: string };
}

const AFTER_PLANS: Place = {
  tab: "subscription",
  cancelled: "Payment cancelled. Your plan was not changed.",
  again: { short: "See plans", label: "See plans and packs", href: "/dashboard?tab=pricing" },
};

/** What became of a purchase, asked again and again while it is pending. */
function usePayment(token: string): UseQueryResult<PaymentState> {
  return useQuery({
    queryKey: ["payment", token],
    queryFn: () => dataOf(api.GET("/api/payments/paypal/status/{token}", { params: { path: { token } } })),
    refetchInterval: ({ state }) => {
      if (state.data?.state !== "pending") return false;
      return state.dataUpdateCount < TIMES_SOON ? SOON_MS : LATER_MS;
    },
  });
}

/** A plan change is completed by a call of its own; the message is the server's, and the page then reloads. */
async function completeChange(token: string): Promise<void> {
  const path = { token };
  try {
    const { message } = await dataOf(
      api.POST("/api/subscriptions/plan-change/complete/{token}", { params: { path } }),
    );
    toast.success(message, { duration: SHOWN_MS });
    setTimeout(() => navigation.reload(), RELOAD_AFTER_MS);
  } catch (error) {
    const fallback = "Failed to complete plan change. Please contact support if you were charged.";
    toast.error(messageOf(error, fallback), { duration: SHOWN_MS });
  }
}

interface OutcomeProps {
  token: string;
  again: Place["again"];
  children: ReactNode;
}

/**
 * Says how the payment stands, and what can be done about it. A paid one is a toast, and the page is brought up to date.
 * The page itself comes with the first answer: before, it would show what the payment is about to change.
 */
function Outcome({ token, again, children }: OutcomeProps): ReactNode {
  const payment = usePayment(token);
  const client = useQueryClient();
  const told = useRef(false);
  const { data } = payment;
  useEffect(() => {
    if (data?.state !== "paid" || told.current) return;
    told.current = true;
    if (data.kind === "plan_change") {
      void completeChange(token);
      return;
    }
    toast.success(data.message, { duration: SHOWN_MS });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "payment" });
  }, [client, data, token]);
  return (
    <>
      <Standing payment={payment} again={again} />
      {payment.isPending ? <SkeletonCards count={4} /> : children}
    </>
  );
}

interface StandingProps {
  payment: UseQueryResult<PaymentState>;
  again: Place["again"];
}

function Standing({ payment, again }: StandingProps): ReactNode {
  const { data } = payment;
  if (payment.isError) {
    return (
      <Notice danger text={messageOf(payment.error, "Failed to load the payment")}>
        <Button busy={payment.isFetching} onClick={() => void payment.refetch()}>
          Retry
        </Button>
      </Notice>
    );
  }
  if (!data) return <Notice text="Asking PayPal about your payment..." />;
  if (data.state === "paid") return null;
  if (data.state === "pending") {
    return (
      <Notice text={data.message}>
        <Button busy={payment.isFetching} onClick={() => void payment.refetch()}>
          Check again
        </Button>
      </Notice>
    );
  }
  return (
    <Notice danger text={data.message}>
      {again ? <ButtonLink href={again.href}>{again.label}</ButtonLink> : null}
    </Notice>
  );
}

interface NoticeProps {
  text: string;
  danger?: boolean;
  children?: ReactNode;
}

function Notice({ text, danger = false, children }: NoticeProps): ReactNode {
  return (
    <div
      className={`notice payment-outcome${danger ? " notice-danger" : ""}`}
      role={danger ? "alert" : "status"}
    >
      <p>{text}</p>
      {children}
    </div>
  );
}

interface PaymentReturnProps {
  place?: Place;
  /** The page that the browser comes back to. */
  children?: ReactNode;
}

/** The browser is back from PayPal: takes the outcome out of the address, and shows it. */
export function PaymentReturn({ place = AFTER_PLANS, children }: PaymentReturnProps): ReactNode {
  const [url, update] = useUrlState();
  const [arrival] = useState(() => ({ payment: url.get("payment"), token: url.get("token") }));
  useEffect(() => {
    if (arrival.payment === null) return;
    const { tab, cancelled, again } = place;
    update({ payment: null, token: null, tab }, "replace");
    if (arrival.payment !== "cancelled") return;
    const action = again ? { label: again.short, onClick: () => navigation.go(again.href) } : undefined;
    toast.error(cancelled, { duration: SHOWN_MS, ...(action ? { action } : {}) });
  }, [arrival, update, place]);
  return arrival.payment === "success" && arrival.token ? (
    <Outcome token={arrival.token} again={place.again}>
      {children}
    </Outcome>
  ) : (
    children
  );
}
