import { useState, type ReactNode } from "react";

import type { Incident } from "../../../api/types";
import { useRecord } from "../../../lib/use-record";
import { Button } from "../../../ui/button";
import { ListRows } from "../../../ui/data-table/list-rows";
import { LiveCard } from "../monitoring/live-card";
import { useIncidents } from "../monitoring/queries";
import { IncidentDialog } from "./incident-dialog";
import { EndButton, formatPeriod, IncidentBadge, IncidentDrawer } from "./incident-drawer";

interface IncidentRowProps {
  incident: Incident;
  onOpen: () => void;
  onEdit: () => void;
}

function IncidentRow({ incident, onOpen, onEdit }: IncidentRowProps): ReactNode {
  return (
    <li className="list-row incident" aria-label={incident.title}>
      <IncidentBadge incident={incident} />
      <div className="grow stack-1">
        <strong>
          <button type="button" className="link-plain break" data-record={incident.id} onClick={onOpen}>
            {incident.title}
          </button>
        </strong>
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
  const record = useRecord("incident");
  const [edited, setEdited] = useState<Incident | "new" | null>(null);
  return (
    <>
      <LiveCard
        id="incidents-heading"
        title="Incidents and maintenance"
        query={query}
        fallback="Failed to load incidents"
        rows={2}
        aside={<Button onClick={() => setEdited("new")}>New entry</Button>}
      >
        {(incidents) => (
          <ListRows
            rows={incidents}
            empty={EMPTY}
            item={(one) => (
              <IncidentRow
                key={one.id}
                incident={one}
                onOpen={() => record.open(one.id)}
                onEdit={() => setEdited(one)}
              />
            )}
          />
        )}
      </LiveCard>
      <IncidentDrawer record={record} query={query} onEdit={setEdited} />
      {edited === null ? null : (
        <IncidentDialog incident={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
