import type { ReactNode } from "react";

import type { Credits, Overview } from "../../../api/types";
import { formatNumber, formatPercent } from "../../../lib/format";

type Parts = Pick<Credits, "plan_credits" | "pack_credits">;

type MonthlyUsage = Pick<Overview, "monthly_limit" | "usage_percentage">;

/** The plan's part; what is used of it is empty. A plan whose credits have lapsed has no limit a month. */
function PlanPart({ credits, usage }: { credits: number; usage: MonthlyUsage }): ReactNode {
  const style = { flexGrow: Math.max(usage.monthly_limit, credits) };
  if (usage.monthly_limit === 0) return <div className="credit-plan" style={style} />;
  const used = usage.usage_percentage / 100;
  return (
    <div
      className="credit-plan"
      style={style}
      role="progressbar"
      aria-label="Monthly usage"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used * 100)}
      aria-valuetext={formatPercent(used)}
    >
      <span style={{ width: `${(used * 100).toFixed(2)}%` }} />
    </div>
  );
}

interface CreditMeterProps {
  /** What is left; not known while it loads. */
  parts: Parts | undefined;
  usage: MonthlyUsage;
}

/** The month's credits, used and left, and beside them those of packs. */
export function CreditMeter({ parts, usage }: CreditMeterProps): ReactNode {
  const { plan_credits = 0, pack_credits = 0 } = parts ?? {};
  return (
    <>
      <div className="credit-meter">
        {usage.monthly_limit + plan_credits > 0 ? <PlanPart credits={plan_credits} usage={usage} /> : null}
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
