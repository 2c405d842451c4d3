import DatabaseBackup from "lucide-react/icons/database-backup";
import ExternalLink from "lucide-react/icons/external-link";
import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState, type ReactNode } from "react";

import { Button, ButtonLink } from "../../../ui/button";
import { LoadedAt, RefreshChoice, StateBadge, type State } from "../measures";
import { CreateBackup } from "../backups/backups";
import { StuckWork } from "../system/stuck-work";
import { AlertsCard } from "./alerts-card";
import { IncidentsCard } from "../incidents/incidents-card";
import { PerformanceCard } from "./performance-card";
import { refreshMonitoring, useHealth } from "./queries";
import { RoutesCard } from "./routes-card";
import { SystemCard, SystemInformation } from "./system-card";
import { WorkCard } from "./work-card";
import { DialogButton } from "../../../ui/dialog-button";

const STATES: Record<"healthy" | "warning" | "error" | "unknown", State> = {
  healthy: ["good", "Healthy"],
  warning: ["warning", "Warning"],
  error: ["fault", "Error"],
  unknown: ["unknown", "Unknown"],
};

function TabHead(): ReactNode {
  const health = useHealth();
  return (
    <div className="monitor-head">
      <h2>Monitoring & Alerts</h2>
      <span className="grow">
        <StateBadge state={STATES[health.data && !health.error ? health.data.status : "unknown"]} />
      </span>
      <LoadedAt query={health} />
      <RefreshChoice />
    </div>
  );
}

function TabActions(): ReactNode {
  const [busy, setBusy] = useState(false);
  const refresh = () => {
    setBusy(true);
    void refreshMonitoring().finally(() => setBusy(false));
  };
  return (
    <div className="toolbar">
      <Button busy={busy} onClick={refresh}>
        <RefreshCw size={16} aria-hidden />
        Refresh All Data
      </Button>
      <ButtonLink href="/api/monitoring/health" target="_blank" rel="noopener">
        <ExternalLink size={16} aria-hidden />
        View Raw Health API
      </ButtonLink>
      <DialogButton dialog={(close) => <CreateBackup onClose={close} />}>
        <DatabaseBackup size={16} aria-hidden />
        Trigger Manual Backup
      </DialogButton>
    </div>
  );
}

/** How the running system is: each card loads by itself, so that one failure hides nothing else. */
export function MonitoringTab(): ReactNode {
  return (
    <div className="stack">
      <TabHead />
      <TabActions />
      <AlertsCard />
      <SystemCard />
      <PerformanceCard />
      <WorkCard />
      <StuckWork />
      <RoutesCard />
      <IncidentsCard />
      <SystemInformation />
    </div>
  );
}
