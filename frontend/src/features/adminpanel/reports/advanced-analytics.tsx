import type { ReactNode } from "react";

import { formatNumber, formatPercent, NO_VALUE, formatCount } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { Figure } from "../../../ui/figure";
import { LiveView } from "../../../ui/live-view";
import { Section } from "../../../ui/section";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { SkeletonReport } from "../../../ui/states";
import { ShortNumber } from "../../../ui/values";
import { exportAnalytics } from "../../validation/analytics/exports";
import { BASIC_RANGE, RANGES } from "../../validation/analytics/use-analytics";
import { ChartPanel } from "./chart-panel";
import { Insights, QuickStats, SystemHealth } from "./insight-panels";
import { useOverallFigures, type OverallFigures } from "./use-overall-figures";

const CONCLUSIVE = "Results with a category other than unknown, over all results of the range";
const TIME = "Mean of the single checks of the range, what mail servers took included";
const RATINGS = "Mean of the ratings of finished lists and pages in the range; a thumb counts 5 or 1";

function formatTook(milliseconds: number): string {
  if (milliseconds <= 0) return NO_VALUE;
  return milliseconds < 1000 ? `${formatNumber(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function Satisfaction({ overview }: Pick<OverallFigures["advanced"], "overview">): ReactNode {
  const { satisfactionScore: score, satisfactionRatings: ratings } = overview;
  if (score === null) {
    return (
      <Figure name="Satisfaction" hint={RATINGS} note="No ratings yet">
        {NO_VALUE}
      </Figure>
    );
  }
  return (
    <Figure name="Satisfaction" hint={RATINGS} note={formatCount(ratings ?? 0, "rating")}>
      {score.toFixed(1)} out of 5
    </Figure>
  );
}

function FigureCards({ figures }: { figures: OverallFigures }): ReactNode {
  const { overview } = figures.advanced;
  const { accuracyRate: accuracy } = overview;
  return (
    <dl className="stat-cards">
      <Figure name="Total Validations" note="in this range">
        <ShortNumber value={overview.totalValidations} />
      </Figure>
      <Figure name="Accuracy Rate" hint={CONCLUSIVE} note="conclusive results">
        {accuracy === null ? NO_VALUE : formatPercent(accuracy / 100)}
      </Figure>
      <Figure name="Avg Response Time" hint={TIME} note="of a single check">
        {formatTook(overview.avgResponseTime)}
      </Figure>
      <Satisfaction overview={overview} />
    </dl>
  );
}

/** The charts and figures of all accounts over a range. */
export function AdvancedAnalytics(): ReactNode {
  const [url, setUrl] = useUrlState();
  const range = findOption(RANGES, url.get("days"), BASIC_RANGE);
  const figures = useOverallFigures(range);
  const { data } = figures;
  const save = (kind: "csv" | "json") => () => {
    if (data) exportAnalytics(data, range, kind);
  };
  return (
    <Section
      id="analytics-heading"
      title="Advanced Analytics"
      aside={
        <div className="row">
          <Button disabled={!data} onClick={save("csv")}>
            Export CSV
          </Button>
          <Button disabled={!data} onClick={save("json")}>
            Export JSON
          </Button>
        </div>
      }
    >
      <SegmentedControl
        label="Range"
        options={RANGES}
        value={range}
        onChange={(next) => setUrl({ days: next === BASIC_RANGE ? null : next })}
      />
      <LiveView query={figures} fallback="Failed to load analytics" rows={<SkeletonReport figures={4} />}>
        {(found) => (
          <>
            <FigureCards figures={found} />
            <div className="report-columns">
              <ChartPanel figures={found} range={range} />
              <div className="side-panels">
                <QuickStats days={found.days} total={found.total} />
                <SystemHealth health={found.advanced.systemHealth} />
              </div>
            </div>
            <Insights sentences={found.advanced.insights} />
          </>
        )}
      </LiveView>
    </Section>
  );
}
