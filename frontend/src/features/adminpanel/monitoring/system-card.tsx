import type { ReactNode } from "react";

import { formatDuration } from "../../../lib/format";
import { Facts } from "../../../ui/facts";
import { Meter } from "../../../ui/progress";
import { SkeletonCards } from "../../../ui/states";
import { formatShare, NOT_KNOWN } from "../measures";
import { LiveCard } from "./live-card";
import { useHealth, useMetrics } from "./queries";

const HIGH_PERCENT = 80;

type Tone = "plain" | "problem";

function getLoadTone(percent: number): Tone {
  return percent > HIGH_PERCENT ? "problem" : "plain";
}

interface BarProps {
  name: string;
  percent: number | null;
  note: string;
  /** Where more is better. */
  tone?: Tone;
}

function Bar({ name, percent, note, tone }: BarProps): ReactNode {
  return (
    <div className="load">
      <div className="load-head">
        <span>{name}</span>
        <span className="nums">
          <strong>{formatShare(percent) ?? NOT_KNOWN}</strong>
        </span>
      </div>
      {percent === null ? null : (
        <Meter value={percent / 100} label={name} tone={tone ?? getLoadTone(percent)} />
      )}
      <span className="muted small nums">{note}</span>
    </div>
  );
}

const LOADS = <SkeletonCards count={4} grid="loads" block="skeleton-load" />;

/** Memory, processor, disk and uptime of the machine that answers. */
export function SystemCard(): ReactNode {
  const health = useHealth();
  const metrics = useMetrics();
  const uptime = metrics.data?.overview.uptime_percent ?? null;
  return (
    <LiveCard id="system-heading" title="System" query={health} fallback="Failed to load health" rows={LOADS}>
      {({ system }) => (
        <div className="loads">
          <Bar
            name="Memory"
            percent={system.memory_percent}
            note={`${system.memory_available_gb} GB available`}
          />
          <Bar name="CPU" percent={system.cpu_percent} note="Since the last look" />
          <Bar name="Disk" percent={system.disk_percent} note={`${system.disk_available_gb} GB available`} />
          <Bar
            name="Uptime"
            percent={uptime}
            note={`Checks of 24 hours; started ${formatDuration(system.uptime_hours * 3_600)} ago`}
            tone="plain"
          />
        </div>
      )}
    </LiveCard>
  );
}

/** What does not change while it runs. */
export function SystemInformation(): ReactNode {
  const query = useMetrics();
  return (
    <LiveCard
      id="information-heading"
      title="System information"
      query={query}
      fallback="Failed to load metrics"
      rows={3}
    >
      {({ system_info }) => (
        <Facts
          facts={[
            ["Python version", system_info.python_version],
            ["Platform", system_info.platform],
            ["Total memory", `${system_info.memory_total_gb} GB`],
          ]}
        />
      )}
    </LiveCard>
  );
}
