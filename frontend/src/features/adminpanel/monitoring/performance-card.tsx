import type { ReactNode } from "react";

import type { Health, MonitoringMetrics } from "../../../api/types";
import { formatNumber, NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { Measure, formatMs, formatShare, type State } from "../measures";
import { LiveCard } from "./live-card";
import { useHealth, useMetrics } from "./queries";

const MANY_PERCENT = 5;
const SLOW_MS = 500;
type Group = MonitoringMetrics["overview"]["groups"][number];

const COLUMNS: readonly Column<Group>[] = [
  textColumn("group", "Group", ({ name }) => toSentenceCase(name)),
  numberColumn("requests", "Requests", ({ requests }) => requests),
  textColumn("errors", "Errors", ({ error_rate }) => formatShare(error_rate), { align: "number" }),
  textColumn("average", "Average", ({ avg_response_time }) => formatMs(avg_response_time), {
    align: "number",
    hideBelow: "narrow",
  }),
  textColumn("p95", "95%", ({ p95_ms }) => formatMs(p95_ms) ?? NO_VALUE, { align: "number" }),
];

function judgeErrors(percent: number): State {
  return percent < MANY_PERCENT ? ["good", "Low"] : ["fault", "High"];
}

function judgeSpeed(ms: number): State {
  return ms < SLOW_MS ? ["good", "Fast"] : ["fault", "Slow"];
}

type Requests = Pick<Health["application"], "total_requests" | "error_rate" | "avg_response_time">;

interface FiguresProps {
  requests: Requests;
  active: number;
  failed: boolean;
}

function Figures({ requests, active, failed }: FiguresProps): ReactNode {
  const { total_requests, error_rate, avg_response_time } = requests;
  const known = total_requests > 0;
  return (
    <dl className="measures">
      <Measure name="Total requests" value={formatNumber(total_requests)} note="In the last hour" />
      <Measure
        name="Error rate"
        value={known ? formatShare(error_rate) : null}
        state={failed ? null : judgeErrors(error_rate)}
        note="Failed by our own fault"
      />
      <Measure
        name="Average response"
        value={known ? formatMs(avg_response_time) : null}
        state={failed ? null : judgeSpeed(avg_response_time)}
        note="Without waiting for mail hosts"
      />
      <Measure name="Active requests" value={formatNumber(active)} note="Being answered, this one included" />
    </dl>
  );
}

function Groups({ overview }: { overview: MonitoringMetrics["overview"] }): ReactNode {
  if (overview.groups.length === 0) return null;
  return (
    <>
      <p className="small nums">
        Half of the requests took at most {formatMs(overview.p50_ms)}, 95% {formatMs(overview.p95_ms)}, 99%{" "}
        {formatMs(overview.p99_ms)}.
      </p>
      <DataTable
        label="Groups of requests"
        className="monitor-groups"
        columns={COLUMNS}
        rows={overview.groups}
        getKey={({ name }) => name}
      />
    </>
  );
}

/** The requests of the last hour. */
export function PerformanceCard(): ReactNode {
  const health = useHealth();
  const metrics = useMetrics();
  return (
    <LiveCard
      id="application-heading"
      title="Application performance"
      query={health}
      fallback="Failed to load health"
      rows={6}
    >
      {(found) => (
        <>
          <Figures
            requests={metrics.data?.overview ?? found.application} // the groups below are of the same look
            active={found.application.active_requests}
            failed={Boolean(health.error)}
          />
          {metrics.data ? <Groups overview={metrics.data.overview} /> : null}
        </>
      )}
    </LiveCard>
  );
}
