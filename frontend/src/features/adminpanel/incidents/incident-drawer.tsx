import type { UseQueryResult } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import OctagonX from "lucide-react/icons/octagon-x";
import Wrench from "lucide-react/icons/wrench";
import type { ReactNode } from "react";

import type { Incident } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatTimes, NO_VALUE } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import type { OpenRecord } from "../../../lib/use-record";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Facts, type Fact } from "../../../ui/facts";
import { RecordDrawer } from "../../../ui/record-drawer";
import { Loaded } from "../../../ui/states";
import { refreshIncidents } from "../monitoring/queries";
import { SAVED } from "./incident-dialog";

const NOT_SAVED = "Failed to save";

/** Ends it now, or lets it go on again. */
export function EndButton({ incident }: { incident: Incident }): ReactNode {
  const params = { path: { incident_id: incident.id } };
  const ending = useAction(
    (ends: boolean) => {
      const body = { ended_at: ends ? new Date().toISOString() : null };
      return readData(api.PUT("/api/admin/incidents/{incident_id}", { params, body }));
    },
    NOT_SAVED,
    {
      done: () => SAVED,
      undo: (_, ends) => ending.mutate(!ends),
      onEnd: refreshIncidents,
    },
  );
  return (
    <Button
      busy={ending.isPending}
      aria-label={`End ${incident.title} now`}
      onClick={() => ending.mutate(true)}
    >
      End now
    </Button>
  );
}

export function formatPeriod({ started_at, ended_at }: Incident): string {
  return ended_at === null ? `Since ${formatDateTime(started_at)}` : formatTimes(started_at, ended_at);
}

function isOngoing({ ended_at }: Incident): boolean {
  return ended_at === null || new Date(ended_at) > new Date();
}

function formatState(incident: Incident): string {
  if (!isOngoing(incident)) return "Over";
  return new Date(incident.started_at) > new Date() ? "Announced" : "Going on";
}

/** What it is; an outage that goes on is a fault. */
export function IncidentBadge({ incident }: { incident: Incident }): ReactNode {
  if (incident.kind === "maintenance") return <Badge look={["Maintenance", "plain", Wrench]} />;
  const look = isOngoing(incident) ? (["problem", OctagonX] as const) : (["plain", CircleCheck] as const);
  return <Badge look={["Incident", ...look]} />;
}

interface BodyProps {
  incident: Incident;
  onEdit: (incident: Incident) => void;
}

function IncidentBody({ incident, onEdit }: BodyProps): ReactNode {
  const { ended_at, note, services, started_at } = incident;
  const lines: Fact[] = [
    ["Kind", <IncidentBadge key="kind" incident={incident} />],
    ["State", formatState(incident)],
    ["Services", services.join(", ")],
    ["Start", formatDateTime(started_at)],
    ["End", ended_at === null ? NO_VALUE : formatDateTime(ended_at)],
  ];
  return (
    <div className="stack-4">
      <Facts facts={lines} />
      {note ? (
        <section className="stack-1" aria-label="Note for customers">
          <h3>Note for customers</h3>
          <p className="break">{note}</p>
        </section>
      ) : null}
      <div className="row">
        {ended_at === null ? <EndButton incident={incident} /> : null}
        <Button onClick={() => onEdit(incident)}>Edit</Button>
      </div>
    </div>
  );
}

interface DrawerProps {
  record: OpenRecord;
  query: UseQueryResult<Incident[]>;
  onEdit: (incident: Incident) => void;
}

/** The outage or planned work that is open, if one is. */
export function IncidentDrawer({ record, query, onEdit }: DrawerProps): ReactNode {
  const { id } = record;
  if (id === null) return null;
  const ids = (query.data ?? []).map((one) => String(one.id));
  const incident = query.data?.find((one) => String(one.id) === id);
  return (
    <RecordDrawer place={{ id, ids, record }} title={incident?.title ?? "Incident"}>
      <Loaded query={query} fallback="Failed to load incidents" rows={4}>
        {() =>
          incident ? (
            <IncidentBody key={id} incident={incident} onEdit={onEdit} />
          ) : (
            <p>This entry is not in the list any more.</p>
          )
        }
      </Loaded>
    </RecordDrawer>
  );
}
