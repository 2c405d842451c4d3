import type { ReactNode } from "react";

import { useCheckout } from "../payments/use-checkout";
import type { PackOffer } from "./offers";
import { PackPrices } from "./prices";
import { SecondPaymentQuestion } from "../payments/second-payment-question";

/** Credits to buy once, on the page where they are counted. */
export function PacksCard({ packs }: { packs: PackOffer[] }): ReactNode {
  const checkout = useCheckout();
  return (
    <section className="stack-4" aria-labelledby="packs-heading">
      <h2 id="packs-heading">Credit packs</h2>
      <PackPrices packs={packs} checkout={checkout} level="h3" />
      <SecondPaymentQuestion asking={checkout.asking} />
    </section>
  );
}
