import type { ReactNode } from "react";

import type { Alerts } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { ListRows, NothingHere } from "../../../ui/data-table/list-rows";
import { SkeletonBlock } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { StateBadge, type State } from "../measures";
import { LiveCard } from "./live-card";
import { useAlerts } from "./queries";

type Alert = Alerts["alerts"][number];
const SEVERITIES: Record<Alert["severity"], State> = {
  critical: ["fault", "Critical"],
  warning: ["warning", "Warning"],
  info: ["unknown", "Info"],
};

const NO_ALERTS = {
  title: "No alerts",
  plain: true,
  text: "Nothing is beyond its threshold. When something is, staff get one mail.",
};

function AlertRow({ alert }: { alert: Alert }): ReactNode {
  return (
    <li className="list-row">
      <StateBadge state={SEVERITIES[alert.severity]} />
      <div className="grow stack-1">
        <strong className="break">{alert.title}</strong>
        <span className="muted small break">{alert.message}</span>
      </div>
      <span className="muted small">
        {alert.category} · <Time at={alert.timestamp} />
      </span>
    </li>
  );
}

function AlertList({ found }: { found: Alerts }): ReactNode {
  const { alerts, summary } = found;
  if (alerts.length === 0) return <NothingHere nothing={NO_ALERTS} />;
  return (
    <>
      <ListRows rows={alerts} item={(alert) => <AlertRow key={alert.id} alert={alert} />} />
      <p className="muted small nums">
        {summary.total > alerts.length ? `The first ${alerts.length} of ` : ""}
        {formatCount(summary.total, "alert")}: {summary.critical} critical,{" "}
        {formatCount(summary.warning, "warning")}
      </p>
    </>
  );
}

/** More than one may be out of sight: the keys scroll to it. */
function getTabIndex({ alerts }: Alerts): number | undefined {
  return alerts.length > 1 ? 0 : undefined;
}

/** What is wrong now. */
export function AlertsCard(): ReactNode {
  const query = useAlerts();
  return (
    <LiveCard
      id="alerts-heading"
      title="System alerts"
      query={query}
      fallback="Failed to load alerts"
      rows={<SkeletonBlock className="alerts" />}
    >
      {(found) => (
        // Of one height, so that what is below stays where it is when an alert comes or goes.
        <div className="alerts stack-4" role="group" aria-label="Alerts" tabIndex={getTabIndex(found)}>
          <AlertList found={found} />
        </div>
      )}
    </LiveCard>
  );
}
