import type { ReactNode } from "react";

import { useCheckout } from "../payments/use-checkout";
import type { PackOffer } from "./offers";
import { PackPrices } from "./prices";
import { SecondPaymentQuestion } from "../payments/second-payment-question";
import { Section } from "../../../ui/section";

/** Credits to buy once, on the page where they are counted. */
export function PacksCard({ packs }: { packs: PackOffer[] }): ReactNode {
  const checkout = useCheckout();
  return (
    <Section id="packs-heading" title="Credit packs" anchor="packs">
      <PackPrices packs={packs} checkout={checkout} level="h3" />
      <SecondPaymentQuestion asking={checkout.asking} />
    </Section>
  );
}
