import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { PaymentState } from "../../../api/types";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { navigation } from "../../../lib/session";
import { useUrlState } from "../../../lib/url-state";
import { useIsOpen } from "./use-open-payments";
import { Button, ButtonLink } from "../../../ui/button";
import { SkeletonCards } from "../../../ui/states";
import { Notice } from "./notice";

const SHOWN_MS = 10_000;
const SOON_MS = 3_000;
const LATER_MS = 30_000;
const RELOAD_AFTER_MS = 2_000;
const TIMES_SOON = 20;

const CANCELLED = "Payment cancelled.";
/** What was not done because the buyer turned back at PayPal. */
const UNDONE: Record<PaymentState["kind"], string> = {
  plan_change: "Your plan was not changed.",
  subscription: "No plan was bought.",
  credits: "No credits were bought.",
  quote: "Your quote can still be paid.",
};

/** Where a buyer comes back to. */
export interface Place {
  /** The tab that is shown there. */
  tab: string;
  /** Where to try again, unless it is in sight. */
  again?: { short: string; label: string; href: string };
}

const AFTER_PLANS: Place = {
  tab: "subscription",
  again: { short: "See plans", label: "See plans and packs", href: "/dashboard?tab=pricing" },
};

function stateOf(token: string): Promise<PaymentState> {
  return dataOf(api.GET("/api/payments/paypal/status/{token}", { params: { path: { token } } }));
}

/** What became of a purchase, asked again and again while it is pending and `watched`. */
function usePayment(token: string, watched: boolean): UseQueryResult<PaymentState> {
  return useQuery({
    queryKey: ["payment", token],
    queryFn: () => stateOf(token),
    refetchInterval: ({ state }) => {
      if (!watched || state.data?.state !== "pending") return false;
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

/** Whether PayPal has held the payment back: from then on the page tells of it, and of its end. */
function useHandedOver(token: string): boolean {
  const isOpen = useIsOpen(token);
  const [isHandedOver, setHandedOver] = useState(false);
  if (isOpen && !isHandedOver) setHandedOver(true);
  return isOpen || isHandedOver;
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
  const isHeld = useHandedOver(token);
  const payment = usePayment(token, !isHeld);
  const client = useQueryClient();
  const told = useRef(false);
  const { data } = payment;
  useEffect(() => {
    if (data?.state !== "paid" || told.current || isHeld) return;
    told.current = true;
    if (data.kind === "plan_change") {
      void completeChange(token);
      return;
    }
    toast.success(data.message, { duration: SHOWN_MS });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "payment" });
  }, [client, data, isHeld, token]);
  return (
    <>
      {isHeld ? null : <Standing payment={payment} again={again} />}
      {payment.isPending ? <SkeletonCards count={4} /> : children}
    </>
  );
}

interface AskAgainProps {
  payment: UseQueryResult<PaymentState>;
  label: string;
}

function AskAgain({ payment, label }: AskAgainProps): ReactNode {
  return (
    <Button busy={payment.isFetching} onClick={() => void payment.refetch()}>
      {label}
    </Button>
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
      <Notice tone="danger" action={<AskAgain payment={payment} label="Retry" />}>
        {messageOf(payment.error, "Failed to load the payment")}
      </Notice>
    );
  }
  if (!data) return <Notice>Asking PayPal about your payment...</Notice>;
  if (data.state === "paid") return null;
  if (data.state === "pending") {
    return <Notice action={<AskAgain payment={payment} label="Check again" />}>{data.message}</Notice>;
  }
  const elsewhere = again ? <ButtonLink href={again.href}>{again.label}</ButtonLink> : null;
  return (
    <Notice tone="danger" action={elsewhere}>
      {data.message}
    </Notice>
  );
}

/** Says what was cancelled: that is no error. */
async function tellCancelled(token: string | null, again: Place["again"]): Promise<void> {
  const what = token ? await stateOf(token).catch(() => null) : null;
  const action = again ? { label: again.short, onClick: () => navigation.go(again.href) } : undefined;
  toast(what ? `${CANCELLED} ${UNDONE[what.kind]}` : CANCELLED, {
    duration: SHOWN_MS,
    ...(action ? { action } : {}),
  });
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
    const { tab, again } = place;
    update({ payment: null, token: null, tab }, "replace");
    if (arrival.payment === "cancelled") void tellCancelled(arrival.token, again);
  }, [arrival, update, place]);
  return arrival.payment === "success" && arrival.token ? (
    <Outcome token={arrival.token} again={place.again}>
      {children}
    </Outcome>
  ) : (
    children
  );
}
