import { Cpu, Database, MemoryStick, Timer, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { SystemStats } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, dataOf } from "../../../lib/client";
import { formatNumber, plural } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { Fresh } from "../../../ui/fresh";
import { SkeletonCards } from "../../../ui/states";

const AGAIN_MS = 30_000;

function Card({ icon: Icon, name, value, more }: CardProps): ReactNode {
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

interface CardProps {
  icon: LucideIcon;
  name: string;
  value: string;
  more: string;
}

function Cards({ stats }: { stats: SystemStats["stats"] }): ReactNode {
  const { database, server } = stats;
  return (
    <dl className="system-cards">
      <Card
        icon={Database}
        name="Database"
        value={database.measure_size}
        more={plural(database.count_connections, "open connection")}
      />
      <Card icon={Cpu} name="CPU" value={`${server.cpu}%`} more="of this machine" />
      <Card icon={MemoryStick} name="Memory" value={`${server.memory}%`} more="of this machine" />
      <Card icon={Timer} name="Uptime" value={server.uptime} more="of the web process" />
    </dl>
  );
}

function Counts({ stats }: { stats: SystemStats["stats"] }): ReactNode {
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
export function Stats(): ReactNode {
  const stats = useAdminQuery(
    ["system", "stats"],
    () => dataOf(api.GET("/api/admin/system-stats")),
    () => AGAIN_MS,
  );
  return (
    <section className="stack-4" aria-labelledby="stats-heading">
      <div className="system-head">
        <h2 id="stats-heading">System</h2>
        <Button busy={stats.isFetching} onClick={() => void stats.refetch()}>
          Refresh
        </Button>
      </div>
      <Fresh query={stats} fallback="Failed to load system statistics" rows={STAND_IN}>
        {({ stats: found }) => (
          <>
            <Cards stats={found} />
            <Counts stats={found} />
          </>
        )}
      </Fresh>
    </section>
  );
}
