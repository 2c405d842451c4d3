import { Suspense, useState, type ReactNode } from "react";

import type { Overview } from "../api/types";
import { exportAnalytics } from "../features/validation/analytics/exports";
import { CategoryBars } from "../features/validation/analytics/category-bars";
import {
  AccuracyTable,
  CategoryTable,
  DayTable,
  SeriesLegend,
  SinceNote,
} from "../features/validation/analytics/tables";
import { hasPrevious, sumCategories } from "../features/validation/analytics/usage-series";
import {
  BASIC_RANGE,
  hasAdvanced,
  RANGE_DAYS,
  RANGES,
  useAnalytics,
  WIDEST_RANGE,
  type Analytics as Figures,
  type Range,
} from "../features/validation/analytics/use-analytics";
import { formatMoney, formatNumber, formatPercent, NO_VALUE, calculateShare } from "../lib/format";
import { useOverview } from "../features/validation/analytics/use-overview";
import { FilledPage, FirstCheck } from "../features/validation/batches/first-check";
import { useUrlState } from "../lib/url-state";
import type { TermName } from "../lib/terms";
import { Button, ButtonLink } from "../ui/button";
import { lazyPart } from "../ui/lazy-part";
import { PageHead } from "../ui/page-head";
import { findOption, SegmentedControl } from "../ui/segmented-control";
import { EmptyState, ErrorState, SkeletonBlock, SkeletonPage } from "../ui/states";
import { Term } from "../ui/term";
import { ShortNumber } from "../ui/values";

const loadCharts = () => import("../features/validation/analytics/charts");
const UsageChart = lazyPart(async () => (await loadCharts()).UsageChart);
const AccuracyChart = lazyPart(async () => (await loadCharts()).AccuracyChart);

const FAILED = "Failed to load analytics";

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
      {chart}
      {children}
    </section>
  );
}

/** A chart that comes after the figures. */
function Drawn({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="chart">
      <Suspense fallback={<SkeletonBlock className="chart-loading" />}>{children}</Suspense>
    </div>
  );
}

interface FigureProps {
  name: string;
  /** What explains it. */
  term?: TermName;
  children: ReactNode;
}

function Figure({ name, term, children }: FigureProps): ReactNode {
  return (
    <div className="count">
      <dt>{term ? <Term name={term}>{name}</Term> : name}</dt>
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
      <Figure name="Time of a check" term="check_time">
        {formatSeconds(overview.avgResponseTime)}
      </Figure>
      <Figure name="Cost" term="cost">
        {cost}
      </Figure>
      <Figure name="Saved" term="saved">
        {formatMoney(overview.costSavings)}
      </Figure>
    </>
  );
}

function formatSuccessRate({ days, total }: Figures): string {
  return formatPercent(calculateShare(sumCategories(days).valid, total));
}

function Summary({ figures }: { figures: Figures }): ReactNode {
  return (
    <section className="card range-figures" aria-label="Overview of the range">
      <dl className="counts">
        <Figure name="Validations">
          <ShortNumber value={figures.total} />
        </Figure>
        <Figure name="Success rate" term="success_rate">
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

function Charts({ figures, range }: { figures: Figures; range: Range }): ReactNode {
  const { days, total, advanced } = figures;
  const usage = (
    <Drawn>
      <UsageChart days={days} />
    </Drawn>
  );
  return (
    <>
      <ChartCard title="Daily usage" note={<SeriesLegend ghost={hasPrevious(days)} />} chart={usage}>
        <SinceNote days={days} length={RANGE_DAYS[range]} />
        <DayTable days={days} linked />
      </ChartCard>
      <div className="columns">
        <ChartCard title="Categories" chart={<CategoryBars days={days} total={total} />}>
          <CategoryTable days={days} total={total} />
        </ChartCard>
        {advanced ? (
          <ChartCard
            title="Conclusive results"
            note={
              <span className="muted small">
                <Term name="conclusive">Share of each day that is not unknown</Term>
              </span>
            }
            chart={
              <Drawn>
                <AccuracyChart days={days} />
              </Drawn>
            }
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
      <ButtonLink href="/dashboard?tab=pricing" needs="pay">
        Upgrade
      </ButtonLink>
    </aside>
  );
}

interface NothingCheckedProps {
  /** Whether there are results outside of the range. */
  older: boolean;
  sandbox: boolean;
  /** Null where no other range can be chosen. */
  onWidest: (() => void) | null;
  onFilled: () => void;
}

const NOTHING = "Nothing was validated in this range";

function NothingChecked({ older, sandbox, onWidest, onFilled }: NothingCheckedProps): ReactNode {
  if (older && onWidest) {
    const action = <Button onClick={onWidest}>Show {RANGES[WIDEST_RANGE]}</Button>;
    return <EmptyState title={NOTHING} action={action} plain />;
  }
  return (
    <FirstCheck sandbox={sandbox} title={NOTHING} onFilled={onFilled}>
      Charts by day and by category appear here with the first address that you check.
    </FirstCheck>
  );
}

function readRange(url: URLSearchParams, advanced: boolean): Range {
  return advanced ? findOption(RANGES, url.get("range"), BASIC_RANGE) : BASIC_RANGE;
}

interface BodyProps {
  analytics: ReturnType<typeof useAnalytics>;
  range: Range;
  nothing: Omit<NothingCheckedProps, "onFilled">;
}

function Body({ analytics, range, nothing }: BodyProps): ReactNode {
  const [isFilled, setFilled] = useState(false);
  if (analytics.isError) return <ErrorState query={analytics} fallback={FAILED} />;
  if (!analytics.data) return <SkeletonPage />;
  if (analytics.data.total === 0) {
    const fill = () => {
      setFilled(true);
      void analytics.refetch();
    };
    return <NothingChecked {...nothing} onFilled={fill} />;
  }
  return (
    <FilledPage isFilled={isFilled} busy={analytics.isPlaceholderData}>
      <Summary figures={analytics.data} />
      <Charts figures={analytics.data} range={range} />
    </FilledPage>
  );
}

function Exports({ data, range }: { data: Figures | undefined; range: Range }): ReactNode {
  const save = (kind: "csv" | "json") => () => {
    if (data) exportAnalytics(data, range, kind);
  };
  return (
    <div className="row">
      <Button disabled={!data} onClick={save("json")}>
        Export JSON
      </Button>
      <Button kind="primary" shortcut="e" disabled={!data} onClick={save("csv")}>
        Export CSV
      </Button>
    </div>
  );
}

interface PageProps {
  account: Overview;
  sandbox: boolean;
}

function Page({ account, sandbox }: PageProps): ReactNode {
  const [url, setUrl] = useUrlState();
  const advanced = hasAdvanced(account.subscription_plan);
  const range = readRange(url, advanced);
  const analytics = useAnalytics(account.subscription_plan, range);
  const choose = (next: Range) => setUrl({ range: next === BASIC_RANGE ? null : next });
  const nothing = {
    older: account.total_validations > 0,
    sandbox,
    onWidest: advanced && range !== WIDEST_RANGE ? () => choose(WIDEST_RANGE) : null,
  };
  return (
    <>
      <PageHead
        title="Analytics"
        lead={
          advanced
            ? `${formatNumber(account.total_validations)} validations so far.`
            : "The last 30 days, by day (UTC)."
        }
        action={advanced ? <Exports data={analytics.data} range={range} /> : null}
      />
      <div className="stack">
        {advanced ? (
          <SegmentedControl label="Range" options={RANGES} value={range} onChange={choose} />
        ) : (
          <Upgrade />
        )}
        <Body analytics={analytics} range={range} nothing={nothing} />
      </div>
    </>
  );
}

/** The tab Analytics: the account's own days, with the advanced part from Growth. */
export default function Analytics({ sandbox = false }: { sandbox?: boolean }): ReactNode {
  const overview = useOverview();
  if (overview.data) return <Page account={overview.data} sandbox={sandbox} />;
  if (!overview.isError) return <SkeletonPage />;
  return (
    <>
      <PageHead title="Analytics" lead="Your validations by day and by category." />
      <ErrorState query={overview} fallback={FAILED} />
    </>
  );
}
