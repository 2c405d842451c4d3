import type { ReactNode } from "react";

import type { SystemServices } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { LiveView } from "../../../ui/live-view";
import { SkeletonBlock } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { JobBadge } from "./job-badge";

const SOON_MS = 3_000;
const AGAIN_MS = 30_000;

/** Whether something goes on that ends by itself. */
function isBusy({ workers, restart_asked_at: asked, optimisation }: SystemServices): boolean {
  const restarting = asked !== null && workers.some((one) => one.started_at < asked);
  return restarting || optimisation?.status === "running";
}

function Workers({ found }: { found: SystemServices }): ReactNode {
  const { workers, restart_asked_at: asked } = found;
  const hosts = new Set(workers.map((one) => one.host));
  if (!workers.length) {
    return (
      <div>
        <dt>Workers</dt>
        <dd className="muted">No machine has reported any within a day</dd>
      </div>
    );
  }
  return workers.map(({ host, queue, started_at, seen_at }) => (
    <div key={`${host} ${queue}`}>
      <dt>
        Workers ({queue}
        {hosts.size > 1 ? ` on ${host}` : null})
      </dt>
      <dd className="muted break">
        seen <Time at={seen_at} />, started <Time at={started_at} />
        {asked !== null && started_at < asked ? ", restarting" : null}
      </dd>
    </div>
  ));
}

function Optimisation({ found }: { found: NonNullable<SystemServices["optimisation"]> }): ReactNode {
  return (
    <div>
      <dt>Last optimization</dt>
      <dd className="muted">
        <JobBadge status={found.status} /> <Time at={found.created_at} />
        {(found.note ?? found.error) ? <div className="small break">{found.note ?? found.error}</div> : null}
      </dd>
    </div>
  );
}

function useServices() {
  return useAdminQuery(
    ["system", "services"],
    () => readData(api.GET("/api/admin/system/services")),
    (data) => (data && isBusy(data) ? SOON_MS : AGAIN_MS),
  );
}

/** The workers as they last showed themselves. */
export function Services(): ReactNode {
  return (
    <LiveView
      query={useServices()}
      fallback="Failed to load services"
      rows={<SkeletonBlock className="skeleton-services" />}
    >
      {(found) => (
        <dl className="facts">
          <Workers found={found} />
        </dl>
      )}
    </LiveView>
  );
}

/** The last upkeep of the database, if there was one. */
export function LastOptimisation(): ReactNode {
  const { data } = useServices();
  if (!data?.optimisation) return null;
  return (
    <dl className="facts">
      <Optimisation found={data.optimisation} />
    </dl>
  );
}
