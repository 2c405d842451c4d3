import { useState, type ReactNode } from "react";

import type { Incident } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatTimes } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { useAction } from "../../../lib/use-action";
import { StateBadge } from "../measures";
import { IncidentDialog, SAVED } from "./incident-dialog";
import { LiveCard } from "../monitoring/live-card";
import { refreshIncidents, useIncidents } from "../monitoring/queries";
import { ListRows } from "../../../ui/data-table/list-rows";

const NOT_SAVED = "Failed to save";

function EndButton({ incident }: { incident: Incident }): ReactNode {
  const params = { path: { incident_id: incident.id } };
  const ending = useAction(
    () =>
      readData(
        api.PUT("/api/admin/incidents/{incident_id}", {
          params,
          body: { ended_at: new Date().toISOString() },
        }),
      ),
    NOT_SAVED,
    { done: () => SAVED, onEnd: () => refreshIncidents() },
  );
  return (
    <Button busy={ending.isPending} aria-label={`End ${incident.title} now`} onClick={() => ending.mutate()}>
      End now
    </Button>
  );
}

function formatPeriod({ started_at, ended_at }: Incident): string {
  return ended_at === null ? `Since ${formatDateTime(started_at)}` : formatTimes(started_at, ended_at);
}

function isOngoing({ ended_at }: Incident): boolean {
  return ended_at === null || new Date(ended_at) > new Date();
}

function IncidentRow({ incident, onEdit }: { incident: Incident; onEdit: () => void }): ReactNode {
  const isPlanned = incident.kind === "maintenance";
  const tone = !isOngoing(incident) ? "unknown" : isPlanned ? "catch_all" : "invalid";
  return (
    <li className="list-row incident" aria-label={incident.title}>
      <StateBadge state={[tone, isPlanned ? "Maintenance" : "Incident"]} />
      <div className="grow stack-1">
        <strong className="break">{incident.title}</strong>
        <span className="muted small">
          {incident.services.join(", ")} · {formatPeriod(incident)}
        </span>
        {incident.note ? <span className="small break">{incident.note}</span> : null}
      </div>
      {incident.ended_at === null ? <EndButton incident={incident} /> : null}
      <Button kind="quiet" aria-label={`Edit ${incident.title}`} onClick={onEdit}>
        Edit
      </Button>
    </li>
  );
}

const EMPTY = {
  title: "No incidents",
  plain: true,
  text: "Outages that checks find appear here by themselves. Announce planned work with New entry.",
};

/** What the status page tells of outages and planned work. */
export function IncidentsCard(): ReactNode {
  const query = useIncidents();
  const [open, setOpen] = useState<Incident | "new" | null>(null);
  return (
    <>
      <LiveCard
        id="incidents-heading"
        title="Incidents and maintenance"
        query={query}
        fallback="Failed to load incidents"
        rows={2}
        aside={<Button onClick={() => setOpen("new")}>New entry</Button>}
      >
        {(incidents) => (
          <ListRows
            rows={incidents}
            empty={EMPTY}
            item={(one) => <IncidentRow key={one.id} incident={one} onEdit={() => setOpen(one)} />}
          />
        )}
      </LiveCard>
      {open === null ? null : (
        <IncidentDialog incident={open === "new" ? null : open} onClose={() => setOpen(null)} />
      )}
    </>
  );
}
