import type { ReactNode } from "react";

import type { Overview as Figures } from "../api/types";
import { getErrorMessage } from "../lib/errors";
import { formatNumber, formatPercent } from "../lib/format";
import { CreditMeter } from "../features/billing/usage/credit-meter";
import { useCredits } from "../features/billing/subscriptions/use-subscription";
import { useListAccess } from "../features/validation/access/use-list-access";
import { useOverview } from "../features/validation/analytics/use-overview";
import { formatPlan, SUCCESS_RATE } from "../lib/labels";
import { Button } from "../ui/button";
import { RefetchButton } from "../ui/refetch-button";
import { SkeletonBlock } from "../ui/states";
import { useAction, useLoadToast } from "../lib/use-action";

const FAILED = "Failed to load dashboard data";

/** What is used of the month's credits, or of the month's share of credits that came for a year at once. */
function Usage({ figures }: { figures: Figures }): ReactNode {
  const { monthly_usage, monthly_limit, usage_percentage, subscription_plan: current_plan } = figures;
  const beyond = Math.max(0, monthly_usage - monthly_limit);
  if (monthly_limit === 0) return <dd className="nums">{formatNumber(monthly_usage)}</dd>;
  return (
    <>
      <dd className="nums">
        {formatNumber(monthly_usage)} / {formatNumber(monthly_limit)}{" "}
        <span className="muted">{formatPercent(usage_percentage / 100)}</span>
      </dd>
      {beyond > 0 ? (
        <dd className="muted">
          +{formatNumber(beyond)} {current_plan === "enterprise" ? "beyond the month's share" : "from packs"}
        </dd>
      ) : null}
    </>
  );
}

function OverviewLines({ figures }: { figures: Figures }): ReactNode {
  const account = useCredits();
  const credits = account.data?.credits ?? figures.credits;
  return (
    <dl className="side-figures">
      <div className="side-credits">
        <dt>Available credits</dt>
        <dd className="credits">
          <span className="side-total">{formatNumber(credits)}</span> {credits === 1 ? "credit" : "credits"}
        </dd>
        <dd>
          <CreditMeter parts={account.data} usage={figures} />
        </dd>
      </div>
      <div className="side-line">
        <dt>Monthly usage</dt>
        <Usage figures={figures} />
      </div>
      <div className="side-line">
        <dt>Current plan</dt>
        <dd>{formatPlan(figures.subscription_plan)}</dd>
      </div>
      <div className="side-line">
        <dt>Total validations</dt>
        <dd className="nums">{formatNumber(figures.total_validations)}</dd>
      </div>
      <div className="side-line" title={SUCCESS_RATE}>
        <dt>Success rate</dt>
        <dd className="nums">{formatPercent(figures.success_rate / 100)}</dd>
      </div>
    </dl>
  );
}

/** Their code comes when it is asked for. */
const loadExports = () => import("../features/validation/analytics/overview-exports");

function Exports({ figures }: { figures: Figures }): ReactNode {
  const { mayDownload } = useListAccess();
  const failed = "Failed to export bulk validation";
  const summary = useAction(async () => (await loadExports()).exportSummary(figures), failed);
  const valid = useAction(async () => (await loadExports()).exportValidEmails(), failed);
  return (
    <div className="side-exports" role="toolbar" aria-label="Exports" data-arrows>
      <Button onClick={() => summary.mutate()}>Export Summary</Button>
      {mayDownload ? (
        <Button tabIndex={-1} busy={valid.isPending} onClick={() => valid.mutate()}>
          Export Valid Emails
        </Button>
      ) : null}
    </div>
  );
}

/** The figures of the account beside every page. */
export default function Overview(): ReactNode {
  const overview = useOverview();
  const { data, error, isFetching, refetch } = overview;
  useLoadToast(overview, FAILED);
  if (data) {
    return (
      <section className="side-overview" aria-label="Overview">
        <OverviewLines figures={data} />
        <Exports figures={data} />
      </section>
    );
  }
  if (!error) return <SkeletonBlock className="side-overview-loading" />;
  return (
    <section className="side-overview" aria-label="Overview" role="alert">
      <p>{getErrorMessage(error, FAILED)}</p>
      <RefetchButton query={{ isFetching, refetch }} />
    </section>
  );
}
