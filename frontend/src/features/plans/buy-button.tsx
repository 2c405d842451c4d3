import type { ReactNode } from "react";

import { Button } from "../../ui/button";
import { isSame, type Checkout, type Purchase } from "./tables";

interface BuyButtonProps {
  label: string;
  purchase: Purchase;
  /** None while nothing can be bought. */
  checkout: Checkout | null;
}

/** Starts a purchase; reads `Processing...` and refuses while it is under way. */
export function BuyButton({ label, purchase, checkout }: BuyButtonProps): ReactNode {
  const busy = isSame(checkout?.pending ?? null, purchase);
  return (
    <Button disabled={checkout === null || busy} onClick={() => checkout?.buy(purchase)}>
      {busy ? "Processing..." : label}
    </Button>
  );
}
