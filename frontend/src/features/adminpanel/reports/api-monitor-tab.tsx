import { Suspense, type ReactNode } from "react";

import type { ApiHealth } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { useRefreshSeconds } from "../refresh-interval";
import { lazyPart } from "../../../ui/lazy-part";
import { StaleNote } from "../../../ui/stale-note";
import { SkeletonBlock, SkeletonCards } from "../../../ui/states";
import { Time } from "../../../ui/values";
import {
  Measure,
  formatMs,
  formatShare,
  NOT_KNOWN,
  LoadedAt,
  RefreshChoice,
  StateBadge,
  type State,
} from "../measures";
import { ListRows } from "../../../ui/data-table/list-rows";

const FAILED = "Failed to load API health";
const GOOD_PERCENT = 98;
const FAIR_PERCENT = 95;
const SLOW_MS = 500;

const PerformanceChart = lazyPart(async () => (await import("./performance-chart")).PerformanceChart);

function judgeSuccess(percent: number | null | undefined): State | null {
  if (percent === null || percent === undefined) return null;
  if (percent >= GOOD_PERCENT) return ["good", "Good"];
  return percent >= FAIR_PERCENT ? ["warning", "Fair"] : ["fault", "Low"];
}

function judgeSpeed(ms: number | null | undefined): State | null {
  if (ms === null || ms === undefined) return null;
  return ms < SLOW_MS ? ["good", "Fast"] : ["fault", "Slow"];
}

/** The four figures; after a failed load the last real ones, without a colour that says that all is well. */
function Figures({ health, failed }: { health?: Partial<ApiHealth>; failed: boolean }): ReactNode {
  const { uptime, successRate, avgResponseTime, dailyVolume } = health ?? {};
  return (
    <dl className="measures">
      <Measure name="Uptime" value={formatShare(uptime)} note="Checks of the last 24 hours" />
      <Measure
        name="Success rate"
        value={formatShare(successRate)}
        state={failed ? null : judgeSuccess(successRate)}
        note="Calls of the last 24 hours"
      />
      <Measure
        name="Average response time"
        value={formatMs(avgResponseTime)}
        state={failed ? null : judgeSpeed(avgResponseTime)}
        note="Without waiting for mail hosts"
      />
      <Measure
        name="Daily volume"
        value={dailyVolume === undefined ? null : formatNumber(dailyVolume)}
        note="API calls since midnight UTC"
      />
    </dl>
  );
}

type ServicePart = ApiHealth["services"]["database"];
const STATES: Record<ServicePart["status"], State> = {
  operational: ["good", "Operational"],
  degraded: ["warning", "Degraded"],
  down: ["fault", "Down"],
  no_data: ["unknown", "No data yet"],
  not_configured: ["unknown", "Not configured"],
};
const PARTS = [
  ["validation", "Validation API", "Asks for a mailbox of our own"],
  ["database", "Database", "A timed query"],
  ["payment", "Payment provider", "Answers, and knows our keys"],
] as const;

interface PartCardProps {
  name: string;
  what: string;
  part?: ServicePart;
  failed: boolean;
}

function PartCard({ name, what, part, failed }: PartCardProps): ReactNode {
  return (
    <section className="card stack-2" aria-label={name}>
      <div className="part-head">
        <h3 className="grow">{name}</h3>
        <StateBadge state={part && !failed ? STATES[part.status] : ["unknown", NOT_KNOWN]} />
      </div>
      <p className="muted small">{what}</p>
      {part && part.response_ms !== null ? (
        <p className="small nums">Answered in {formatMs(part.response_ms)}</p>
      ) : null}
      {part?.checked_at ? (
        <p className="muted small">
          Checked <Time at={part.checked_at} />
        </p>
      ) : null}
    </section>
  );
}

function RecentErrors({ errors }: { errors: ApiHealth["recentErrors"] }): ReactNode {
  return (
    <ListRows
      rows={errors}
      empty={{
        title: "All systems operational",
        plain: true,
        text: "No call has failed by our own fault in the last 24 hours.",
      }}
      item={({ timestamp, error, email, severity }, index) => (
        <li key={`${timestamp} ${index}`} className="list-row">
          <StateBadge state={[severity === "critical" ? "fault" : "warning", severity]} />
          <span className="grow mono small break">{error}</span>
          <span className="muted small break">{email}</span>
          <span className="muted small">
            <Time at={timestamp} />
          </span>
        </li>
      )}
    />
  );
}

interface PerformanceProps {
  points: ApiHealth["performanceData"];
  until: number;
}

function Performance({ points, until }: PerformanceProps): ReactNode {
  if (points.length === 0) return <p className="muted">No data yet</p>;
  return (
    <Suspense fallback={<SkeletonBlock className="chart-loading" />}>
      <PerformanceChart points={points} until={until} />
    </Suspense>
  );
}

function Details({ health, readAt }: { health: ApiHealth; readAt: number }): ReactNode {
  return (
    <>
      <section className="card stack-4" aria-labelledby="performance-heading">
        <h3 id="performance-heading">Performance of the last 24 hours</h3>
        <Performance points={health.performanceData} until={readAt} />
      </section>
      <section className="card stack-4" aria-labelledby="errors-heading">
        <h3 id="errors-heading">Recent errors</h3>
        <RecentErrors errors={health.recentErrors} />
      </section>
    </>
  );
}

/** How the API does: measured, never made up. */
export function ApiMonitorTab(): ReactNode {
  const [seconds] = useRefreshSeconds();
  const load = () => readData(api.GET("/api/admin/api-health"));
  const query = useAdminQuery(["api-health"], load, () => Number(seconds) * 1_000);
  const { data, error } = query;
  if (data === undefined && !error) return <SkeletonCards count={4} />;
  return (
    <div className="stack">
      <div className="monitor-head">
        <h2 className="grow">API Monitor</h2>
        <LoadedAt query={query} />
        <RefreshChoice />
      </div>
      <StaleNote query={query} fallback={FAILED} />
      <Figures {...(data ? { health: data } : {})} failed={Boolean(error)} />
      <div className="parts">
        {PARTS.map(([key, name, what]) => (
          <PartCard
            key={key}
            name={name}
            what={what}
            failed={Boolean(error)}
            {...(data ? { part: data.services[key] } : {})}
          />
        ))}
      </div>
      {data ? <Details health={data} readAt={query.dataUpdatedAt} /> : null}
      {data ? (
        <p className="muted small nums">{formatNumber(data.totalValidations)} addresses validated in all.</p>
      ) : null}
    </div>
  );
}
