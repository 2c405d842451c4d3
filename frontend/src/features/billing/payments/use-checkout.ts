import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "sonner";

import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { NO_ADDRESS, type Checkout, type Purchase } from "../catalogue/offers";
import { useSecondPayment } from "./use-second-payment";
import { navigation } from "../../../lib/session";

/** Where the purchase is approved; undefined when the server does not say. */
async function loadApprovalUrl(purchase: Purchase, confirm_second: boolean): Promise<string | undefined> {
  const once = withIdempotencyKey();
  if (purchase.kind === "credits") {
    const body = { package_id: purchase.item, confirm_second };
    const { links } = await readData(api.POST("/api/payments/paypal/create-order", { body, ...once }));
    return links.find(({ rel }) => rel === "approve")?.href;
  }
  const body = { plan_id: purchase.item, billing_cycle: purchase.cycle, confirm_second };
  const made = await readData(api.POST("/api/payments/paypal/create-billing-agreement", { body, ...once }));
  return made.approval_url;
}

/** The one way to buy: asks the server to begin, and leaves for PayPal. */
export function useCheckout(): Checkout {
  const { asking, begun } = useSecondPayment();
  const begin = useMutation({
    mutationFn: async (purchase: Purchase) => {
      const address = await begun((isSecond) => loadApprovalUrl(purchase, isSecond));
      if (address === undefined) throw new Error(NO_ADDRESS);
      if (address !== null) navigation.go(address);
      return address !== null;
    },
    onError: (error) =>
      toast.error(
        error.message === NO_ADDRESS ? NO_ADDRESS : getErrorMessage(error, "Failed to create PayPal payment"),
      ),
  });
  const { reset } = begin;
  // The back button may bring the page back as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener("pageshow", shown);
    return () => removeEventListener("pageshow", shown);
  }, [reset]);
  const isBusy = begin.isPending || begin.data === true;
  return { pending: isBusy ? begin.variables : null, buy: (purchase) => begin.mutate(purchase), asking };
}
