import type { LucideIcon } from "lucide-react";
import Cpu from "lucide-react/icons/cpu";
import Database from "lucide-react/icons/database";
import MemoryStick from "lucide-react/icons/memory-stick";
import Timer from "lucide-react/icons/timer";
import type { ReactNode } from "react";

import type { SystemStats } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber, formatCount } from "../../../lib/format";
import { LiveView } from "../../../ui/live-view";
import { RefetchButton } from "../../../ui/refetch-button";
import { Section } from "../../../ui/section";
import { SkeletonCards } from "../../../ui/states";

const AGAIN_MS = 30_000;

function StatCard({ icon: Icon, name, value, more }: StatCardProps): ReactNode {
  return (
    <div className="card system-card">
      <dt>
        <Icon size={16} aria-hidden />
        {name}
      </dt>
      <dd>
        <strong>{value}</strong>
        <span className="muted small">{more}</span>
      </dd>
    </div>
  );
}

interface StatCardProps {
  icon: LucideIcon;
  name: string;
  value: string;
  more: string;
}

function StatCards({ stats }: { stats: SystemStats["stats"] }): ReactNode {
  const { database, server } = stats;
  return (
    <dl className="system-cards">
      <StatCard
        icon={Database}
        name="Database"
        value={database.size}
        more={formatCount(database.connections, "open connection")}
      />
      <StatCard icon={Cpu} name="CPU" value={`${server.cpu}%`} more="of this machine" />
      <StatCard icon={MemoryStick} name="Memory" value={`${server.memory}%`} more="of this machine" />
      <StatCard icon={Timer} name="Uptime" value={server.uptime} more="of the web process" />
    </dl>
  );
}

function AccountCounts({ stats }: { stats: SystemStats["stats"] }): ReactNode {
  const { users, api: calls } = stats;
  const lines: [string, string][] = [
    ["Users", formatNumber(users.total)],
    ["Active users", formatNumber(users.active)],
    ["New today", formatNumber(users.new_today)],
    ["API calls today", formatNumber(calls.requests_today)],
    ["Average response", `${formatNumber(calls.avg_response)} ms`],
    ["Failed today", formatNumber(calls.errors)],
  ];
  return (
    <dl className="card system-counts">
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt className="muted small">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const STAND_IN = (
  <div className="stack-4">
    <SkeletonCards count={4} grid="system-cards" block="skeleton-system-card" />
    <div className="skeleton skeleton-system-counts" />
  </div>
);

/** What is measured now: database, machine, accounts, calls since midnight UTC. */
export function SystemStatistics(): ReactNode {
  const stats = useAdminQuery(
    ["system", "stats"],
    () => readData(api.GET("/api/admin/system-stats")),
    () => AGAIN_MS,
  );
  return (
    <Section id="stats-heading" title="System" aside={<RefetchButton query={stats} words="Refresh" />}>
      <LiveView query={stats} fallback="Failed to load system statistics" rows={STAND_IN}>
        {({ stats: found }) => (
          <>
            <StatCards stats={found} />
            <AccountCounts stats={found} />
          </>
        )}
      </LiveView>
    </Section>
  );
}
