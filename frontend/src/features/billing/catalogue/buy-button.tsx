import type { ReactNode } from "react";

import { isSamePurchase, type Checkout, type Purchase } from "./offers";
import { Button } from "../../../ui/button";

interface BuyButtonProps {
  label: string;
  purchase: Purchase;
  checkout: Checkout;
}

/** Starts a purchase; reads `Processing...` and refuses while it is under way. */
export function BuyButton({ label, purchase, checkout }: BuyButtonProps): ReactNode {
  const busy = isSamePurchase(checkout.pending, purchase);
  return (
    <Button changes disabled={busy} onClick={() => checkout.buy(purchase)}>
      {busy ? "Processing..." : label}
    </Button>
  );
}
