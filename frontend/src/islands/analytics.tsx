import ChartNoAxesCombined from "lucide-react/icons/chart-no-axes-combined";
import { Suspense, type ReactNode } from "react";

import type { Overview } from "../api/types";
import { exportAnalytics } from "../features/validation/analytics/exports";
import { AccuracyTable, BucketTable, DayTable, SeriesLegend } from "../features/validation/analytics/tables";
import {
  BASIC_RANGE,
  hasAdvanced,
  RANGES,
  useAnalytics,
  type Analytics as Figures,
  type Range,
} from "../features/validation/analytics/use-analytics";
import { formatMoney, formatNumber, formatPercent, NO_VALUE, calculateShare } from "../lib/format";
import { useOverview } from "../features/validation/analytics/use-overview";
import { useUrlState } from "../lib/url-state";
import { SUCCESS_RATE } from "../lib/labels";
import { Button, ButtonLink } from "../ui/button";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { findOption, SegmentedControl } from "../ui/segmented-control";
import { EmptyState, ErrorState, SkeletonBlock, SkeletonPage } from "../ui/states";
import { ShortNumber } from "../ui/values";

const loadCharts = () => import("../features/validation/analytics/charts");
const UsageChart = lazyPart(async () => (await loadCharts()).UsageChart);
const BucketChart = lazyPart(async () => (await loadCharts()).BucketChart);
const AccuracyChart = lazyPart(async () => (await loadCharts()).AccuracyChart);

const FAILED = "Failed to load analytics";
const CONCLUSIVE = "Conclusive results (every category but unknown) over all results of the day";

interface CardProps {
  title: string;
  note?: ReactNode;
  chart: ReactNode;
  children: ReactNode;
}

function ChartCard({ title, note, chart, children }: CardProps): ReactNode {
  return (
    <section className="card" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
        {note}
      </div>
      <div className="chart">
        <Suspense fallback={<SkeletonBlock className="chart-loading" />}>{chart}</Suspense>
      </div>
      {children}
    </section>
  );
}

interface FigureProps {
  name: string;
  hint?: string;
  children: ReactNode;
}

function Figure({ name, hint, children }: FigureProps): ReactNode {
  return (
    <div className="count" title={hint}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function formatSeconds(milliseconds: number): string {
  return milliseconds > 0 ? `${(milliseconds / 1000).toFixed(1)} s` : NO_VALUE;
}

function AdvancedFigures({ advanced }: { advanced: NonNullable<Figures["advanced"]> }): ReactNode {
  const { overview, costAnalysis } = advanced;
  const cost = costAnalysis.totalCost === null ? NO_VALUE : formatMoney(costAnalysis.totalCost);
  return (
    <>
      <Figure name="Credits used">
        <ShortNumber value={overview.creditsUsed} />
      </Figure>
      <Figure name="Credits left">
        <ShortNumber value={overview.creditsRemaining} />
      </Figure>
      <Figure name="Time of a check" hint="Mean of the single checks, what mail servers took included">
        {formatSeconds(overview.avgResponseTime)}
      </Figure>
      <Figure name="Cost" hint="Credits used, at the monthly price of a credit of your plan">
        {cost}
      </Figure>
      <Figure name="Saved" hint="Estimate: what bounces of the rejected addresses would have cost">
        {formatMoney(overview.costSavings)}
      </Figure>
    </>
  );
}

function formatSuccessRate({ buckets, total }: Figures): string {
  return formatPercent(calculateShare(buckets.valid, total));
}

function Summary({ figures }: { figures: Figures }): ReactNode {
  return (
    <section className="card range-figures" aria-label="Overview of the range">
      <dl className="counts">
        <Figure name="Validations">
          <ShortNumber value={figures.total} />
        </Figure>
        <Figure name="Success rate" hint={SUCCESS_RATE}>
          {formatSuccessRate(figures)}
        </Figure>
        {figures.advanced ? <AdvancedFigures advanced={figures.advanced} /> : null}
      </dl>
    </section>
  );
}

function Insights({ sentences }: { sentences: string[] }): ReactNode {
  return (
    <section className="card" aria-labelledby="insights-title">
      <div className="card-head">
        <h2 id="insights-title">Insights</h2>
      </div>
      <ul className="insights">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

function Charts({ figures }: { figures: Figures }): ReactNode {
  const { days, buckets, total, advanced } = figures;
  return (
    <>
      <ChartCard title="Daily usage" note={<SeriesLegend />} chart={<UsageChart days={days} />}>
        <DayTable days={days} />
      </ChartCard>
      <div className="columns">
        <ChartCard title="Categories" chart={<BucketChart buckets={buckets} total={total} />}>
          <BucketTable buckets={buckets} total={total} />
        </ChartCard>
        {advanced ? (
          <ChartCard
            title="Conclusive results"
            note={
              <span className="muted small" title={CONCLUSIVE}>
                Share of each day that is not unknown
              </span>
            }
            chart={<AccuracyChart days={days} />}
          >
            <AccuracyTable days={days} />
          </ChartCard>
        ) : null}
      </div>
      {advanced ? <Insights sentences={advanced.insights} /> : null}
    </>
  );
}

function Upgrade(): ReactNode {
  return (
    <aside className="notice">
      <p>
        Advanced analytics are available from the Growth plan: other ranges, costs and savings, accuracy,
        insights and exports.
      </p>
      <ButtonLink href="/dashboard?tab=pricing">Upgrade</ButtonLink>
    </aside>
  );
}

function NoChecks(): ReactNode {
  const action = (
    <ButtonLink kind="primary" href="/dashboard?tab=validate">
      Start Validating
    </ButtonLink>
  );
  return (
    <div className="card">
      <EmptyState icon={ChartNoAxesCombined} title="Nothing was validated in this range" action={action}>
        Charts by day and by category appear here with the first address that you check.
      </EmptyState>
    </div>
  );
}

function readRange(url: URLSearchParams, advanced: boolean): Range {
  return advanced ? findOption(RANGES, url.get("range"), BASIC_RANGE) : BASIC_RANGE;
}

function Body({ analytics }: { analytics: ReturnType<typeof useAnalytics> }): ReactNode {
  if (analytics.isError) return <ErrorState query={analytics} fallback={FAILED} />;
  if (!analytics.data) return <SkeletonPage />;
  if (analytics.data.total === 0) return <NoChecks />;
  return (
    <div className="stack" aria-busy={analytics.isPlaceholderData}>
      <Summary figures={analytics.data} />
      <Charts figures={analytics.data} />
    </div>
  );
}

function Page({ account }: { account: Overview }): ReactNode {
  const [url, setUrl] = useUrlState();
  const advanced = hasAdvanced(account.current_plan);
  const range = readRange(url, advanced);
  const analytics = useAnalytics(account.current_plan, range);
  const lead = advanced
    ? `${formatNumber(account.total_validations)} validations so far.`
    : "The last 30 days, by day (UTC).";
  const { data } = analytics;
  const save = (kind: "csv" | "json") => () => {
    if (data) exportAnalytics(data, range, kind);
  };
  const action = advanced ? (
    <div className="row">
      <Button disabled={!data} onClick={save("json")}>
        Export JSON
      </Button>
      <Button kind="primary" shortcut="e" disabled={!data} onClick={save("csv")}>
        Export CSV
      </Button>
    </div>
  ) : null;
  return (
    <>
      <PageHead title="Analytics" lead={lead} action={action} />
      <div className="stack">
        {advanced ? (
          <SegmentedControl
            label="Range"
            options={RANGES}
            value={range}
            onChange={(next) => setUrl({ range: next === BASIC_RANGE ? null : next })}
          />
        ) : (
          <Upgrade />
        )}
        <Body analytics={analytics} />
      </div>
    </>
  );
}

/** The tab Analytics: the account's own days, with the advanced part from Growth. */
export default function Analytics(): ReactNode {
  const overview = useOverview();
  if (overview.data) return <Page account={overview.data} />;
  if (!overview.isError) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Analytics" lead="Your validations by day and by category." />
      <ErrorState query={overview} fallback={FAILED} />
    </>
  );
}
