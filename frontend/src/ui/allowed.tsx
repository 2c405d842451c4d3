import type { ReactNode } from "react";

import { describeRefusal, isClosed, mayDo, type Right } from "../lib/rights";

/** Says whom to ask, in place of what the role does not include. */
export function RefusedCard(): ReactNode {
  return (
    <section className="card stack-2">
      <p className="break">{describeRefusal()}</p>
      {isClosed() ? null : (
        <p>
          <a href="/team">See who that is</a>
        </p>
      )}
    </section>
  );
}

/** The way to buy what is missing; where the role does not include it, the word alone. */
export function UpgradeLink(): ReactNode {
  return mayDo("pay") ? <a href="/dashboard?tab=pricing">Upgrade</a> : "Ask an owner or admin to upgrade";
}

/** What is inside asks for nothing where the role does not include it: whom to ask stands there then. */
export function Allowed({ right, children }: { right: Right; children: ReactNode }): ReactNode {
  return mayDo(right) ? children : <RefusedCard />;
}
