import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Incident, NewIncident } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useForm } from "../../../lib/use-form";
import { Checkbox } from "../../../ui/checkbox";
import { AreaField, TextField } from "../../../ui/form";
import { refreshIncidents } from "../monitoring/queries";
import { FormDialog } from "../../../ui/form-dialog";
import { SelectField } from "../../../ui/select";

export const SAVED = "Saved. It is on the status page now.";
const SERVICES = ["Email Validation", "Dashboard", "Validation", "API"] as const;
const KINDS = [
  ["incident", "Incident"],
  ["maintenance", "Maintenance"],
] as const;

type IncidentKind = NewIncident["kind"];
type Services = NewIncident["services"];

interface Values {
  title: string;
  started_at: string;
  ended_at: string;
  note: string;
  /** Only for what is wrong with them. */
  services: string;
}

/** As a field of date and time takes it: local, to the minute. */
function formatField(iso: string | null): string {
  if (iso === null) return "";
  const moment = new Date(iso);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function checkValues(
  kind: IncidentKind,
  services: Services,
  values: Values,
): Partial<Record<keyof Values, string>> {
  const { title, started_at, ended_at } = values;
  const wrong: Partial<Record<keyof Values, string>> = {};
  if (title.trim() === "") wrong.title = "Give it a title.";
  if (started_at === "") wrong.started_at = "Say when it starts.";
  if (kind === "maintenance" && ended_at === "") wrong.ended_at = "Say when the maintenance ends.";
  if (ended_at !== "" && ended_at <= started_at) wrong.ended_at = "The end must be after the start.";
  if (services.length === 0) wrong.services = "Choose at least one service.";
  return wrong;
}

interface ServicesProps {
  chosen: Services;
  error: string | undefined;
  onChange: (services: Services) => void;
}

function ServiceBoxes({ chosen, error, onChange }: ServicesProps): ReactNode {
  const toggle = (service: Services[number], on: boolean) =>
    onChange(SERVICES.filter((name) => (name === service ? on : chosen.includes(name))));
  return (
    <fieldset className="choices service-boxes" aria-invalid={Boolean(error)} tabIndex={-1}>
      <legend>Services</legend>
      {SERVICES.map((service) => (
        <Checkbox
          key={service}
          label={service}
          checked={chosen.includes(service)}
          onChange={(on) => toggle(service, on)}
        />
      ))}
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface IncidentDialogProps {
  /** Null for a new one. */
  incident: Incident | null;
  onClose: () => void;
}

function getValues(incident: Incident | null): Values {
  const { title, started_at, ended_at, note } = incident ?? {
    title: "",
    started_at: new Date().toISOString(),
    ended_at: null,
    note: "",
  };
  return { title, started_at: formatField(started_at), ended_at: formatField(ended_at), note, services: "" };
}

async function saveIncident(
  incident: Incident | null,
  kind: IncidentKind,
  services: Services,
  values: Values,
): Promise<void> {
  const { title, started_at, ended_at, note } = values;
  const begin = new Date(started_at).toISOString();
  const end = ended_at === "" ? null : new Date(ended_at).toISOString();
  const body = { title, services, note, started_at: begin, ended_at: end };
  if (incident) {
    const params = { path: { incident_id: incident.id } };
    await readData(api.PUT("/api/admin/incidents/{incident_id}", { params, body }));
  } else {
    await readData(api.POST("/api/admin/incidents", { body: { ...body, kind } }));
  }
}

function useIncidentForm({ incident, onClose }: IncidentDialogProps) {
  const [kind, setKind] = useState<IncidentKind>(incident?.kind ?? "incident");
  const [services, setServices] = useState<Services>(incident?.services ?? []);
  const form = useForm<Values>({
    defaults: getValues(incident),
    check: (values) => checkValues(kind, services, values),
    send: async (values) => {
      await saveIncident(incident, kind, services, values);
      toast.success(SAVED);
      onClose();
      await refreshIncidents();
    },
    fallback: "Failed to save",
  });
  const choose = (chosen: Services) => {
    setServices(chosen);
    form.set("services", ""); // takes its complaint away
  };
  return { form, kind, setKind, services, choose };
}

/** Tells of an outage or announces work; it is on the status page at once. */
export function IncidentDialog({ incident, onClose }: IncidentDialogProps): ReactNode {
  const { form, kind, setKind, services, choose } = useIncidentForm({ incident, onClose });
  return (
    <FormDialog
      title={incident ? `Edit ${incident.title}` : "New entry"}
      onClose={onClose}
      form={form}
      action="Save"
    >
      {incident ? null : <SelectField label="Kind" value={kind} options={KINDS} onChange={setKind} />}
      <TextField form={form} name="title" label="Title" maxLength={120} />
      <ServiceBoxes chosen={services} error={form.errors.services} onChange={choose} />
      <div className="columns-2">
        <TextField form={form} name="started_at" label="Start (your time)" type="datetime-local" />
        <TextField
          form={form}
          name="ended_at"
          label="End (your time)"
          type="datetime-local"
          hint={kind === "incident" ? "Empty while it goes on" : undefined}
        />
      </div>
      <AreaField form={form} name="note" label="Note for customers (optional)" maxLength={4_000} />
    </FormDialog>
  );
}
