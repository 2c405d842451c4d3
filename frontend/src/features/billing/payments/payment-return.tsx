import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { PaymentState } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { navigation } from "../../../lib/session";
import { useUrlState } from "../../../lib/url-state";
import { useIsPaymentOpen } from "./use-open-payments";
import { ButtonLink } from "../../../ui/button";
import { RefetchButton } from "../../../ui/refetch-button";
import { SkeletonCards } from "../../../ui/states";
import { PaymentNotice } from "./payment-notice";

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
export interface ReturnPlace {
  /** The tab that is shown there. */
  tab: string;
  /** Where to try again, unless it is in sight. */
  again?: { short: string; label: string; href: string };
}

const AFTER_PLANS: ReturnPlace = {
  tab: "subscription",
  again: { short: "See plans", label: "See plans and packs", href: "/dashboard?tab=pricing" },
};

function loadState(token: string): Promise<PaymentState> {
  return readData(api.GET("/api/payments/paypal/status/{token}", { params: { path: { token } } }));
}

/** What became of a purchase, asked again and again while it is pending and `watched`. */
function usePayment(token: string, watched: boolean): UseQueryResult<PaymentState> {
  return useQuery({
    queryKey: ["payment", token],
    queryFn: () => loadState(token),
    refetchInterval: ({ state }) => {
      if (!watched || state.data?.state !== "pending") return false;
      return state.dataUpdateCount < TIMES_SOON ? SOON_MS : LATER_MS;
    },
  });
}

/** A plan change is completed by a call of its own; the message is the server's, and the page then reloads. */
async function completePlanChange(token: string): Promise<void> {
  const path = { token };
  try {
    const { message } = await readData(
      api.POST("/api/subscriptions/plan-change/complete/{token}", { params: { path } }),
    );
    toast.success(message, { duration: SHOWN_MS });
    setTimeout(() => navigation.reload(), RELOAD_AFTER_MS);
  } catch (error) {
    const fallback = "Failed to complete plan change. Please contact support if you were charged.";
    toast.error(getErrorMessage(error, fallback), { duration: SHOWN_MS });
  }
}

/** Whether PayPal has held the payment back: from then on the page tells of it, and of its end. */
function useIsHeldBack(token: string): boolean {
  const isOpen = useIsPaymentOpen(token);
  const [isHandedOver, setHandedOver] = useState(false);
  if (isOpen && !isHandedOver) setHandedOver(true);
  return isOpen || isHandedOver;
}

interface PaymentOutcomeProps {
  token: string;
  again: ReturnPlace["again"];
  children: ReactNode;
}

/**
 * Says how the payment stands, and what can be done about it. A paid one is a toast, and the page is brought up to date.
 * The page itself comes with the first answer: before, it would show what the payment is about to change.
 */
function PaymentOutcome({ token, again, children }: PaymentOutcomeProps): ReactNode {
  const isHeld = useIsHeldBack(token);
  const payment = usePayment(token, !isHeld);
  const client = useQueryClient();
  const told = useRef(false);
  const { data } = payment;
  useEffect(() => {
    if (data?.state !== "paid" || told.current || isHeld) return;
    told.current = true;
    if (data.kind === "plan_change") {
      void completePlanChange(token);
      return;
    }
    toast.success(data.message, { duration: SHOWN_MS });
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "payment" });
  }, [client, data, isHeld, token]);
  return (
    <>
      {isHeld ? null : <PaymentStanding payment={payment} again={again} />}
      {payment.isPending ? <SkeletonCards count={4} /> : children}
    </>
  );
}

interface PaymentStandingProps {
  payment: UseQueryResult<PaymentState>;
  again: ReturnPlace["again"];
}

function PaymentStanding({ payment, again }: PaymentStandingProps): ReactNode {
  const { data } = payment;
  if (payment.isError) {
    return (
      <PaymentNotice tone="danger" action={<RefetchButton query={payment} />}>
        {getErrorMessage(payment.error, "Failed to load the payment")}
      </PaymentNotice>
    );
  }
  if (!data) return <PaymentNotice>Asking PayPal about your payment...</PaymentNotice>;
  if (data.state === "paid") return null;
  if (data.state === "pending") {
    return (
      <PaymentNotice action={<RefetchButton query={payment} words="Check again" />}>
        {data.message}
      </PaymentNotice>
    );
  }
  const elsewhere = again ? <ButtonLink href={again.href}>{again.label}</ButtonLink> : null;
  return (
    <PaymentNotice tone="danger" action={elsewhere}>
      {data.message}
    </PaymentNotice>
  );
}

/** Says what was cancelled: that is no error. */
async function announceCancelled(token: string | null, again: ReturnPlace["again"]): Promise<void> {
  const what = token ? await loadState(token).catch(() => null) : null;
  const action = again ? { label: again.short, onClick: () => navigation.go(again.href) } : undefined;
  toast(what ? `${CANCELLED} ${UNDONE[what.kind]}` : CANCELLED, {
    duration: SHOWN_MS,
    ...(action ? { action } : {}),
  });
}

interface PaymentReturnProps {
  place?: ReturnPlace;
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
    if (arrival.payment === "cancelled") void announceCancelled(arrival.token, again);
  }, [arrival, update, place]);
  return arrival.payment === "success" && arrival.token ? (
    <PaymentOutcome token={arrival.token} again={place.again}>
      {children}
    </PaymentOutcome>
  ) : (
    children
  );
}
