import type { ReactNode } from "react";

import type { Credits, Overview } from "../../../api/types";
import { formatNumber, formatPercent } from "../../../lib/format";

type Parts = Pick<Credits, "plan_credits" | "pack_credits">;

interface CreditMeterProps {
  /** What is left; not known while it loads. */
  parts: Parts | undefined;
  usage: Pick<Overview, "monthly_limit" | "usage_percentage">;
}

/** The month's credits, used and left, and beside them those of packs; an empty part is used up. */
export function CreditMeter({ parts, usage }: CreditMeterProps): ReactNode {
  const { plan_credits = 0, pack_credits = 0 } = parts ?? {};
  const used = usage.usage_percentage / 100;
  const plan = Math.max(usage.monthly_limit, plan_credits);
  const bounds = { "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(used * 100) };
  const measured = { role: "progressbar", "aria-label": "Monthly usage", ...bounds };
  const isMeasured = usage.monthly_limit > 0;
  return (
    <>
      <div className="credit-meter">
        {plan > 0 ? (
          <div
            className="credit-plan"
            style={{ flexGrow: plan }}
            {...(isMeasured ? { ...measured, "aria-valuetext": formatPercent(used) } : {})}
          >
            <span style={{ width: isMeasured ? `${((1 - used) * 100).toFixed(2)}%` : "100%" }} />
          </div>
        ) : null}
        {pack_credits > 0 ? <div className="credit-packs" style={{ flexGrow: pack_credits }} /> : null}
      </div>
      {parts ? (
        <p className="credit-parts">
          <span className="credit-of-plan">Plan {formatNumber(plan_credits)}</span>
          <span className="credit-of-packs">Packs {formatNumber(pack_credits)}</span>
        </p>
      ) : null}
    </>
  );
}
