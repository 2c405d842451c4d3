import { useState, type ReactNode } from "react";

import type { ApiKey, ApiKeyFields } from "../../../api/types";
import { formatDay } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { Checklist } from "../../../ui/checklist";
import { TextField, AreaField, EntryField } from "../../../ui/form";
import { ModeField } from "./mode-field";
import { FormDialog } from "../../../ui/form-dialog";

type Scope = ApiKey["scopes"][number];
const SCOPES = [
  { key: "read", name: "Read", hint: "Lists, results, exports and credits" },
  { key: "write", name: "Write", hint: "Validate, upload, cancel and delete lists" },
  { key: "webhooks", name: "Webhooks", hint: "Add, change, test and delete endpoints of its mode" },
] as const;

/** A new key must have a name. */
type NamedFields = ApiKeyFields & { name: string };

interface Values {
  name: string;
  expires: string;
  cap: string;
  addresses: string;
}

function checkValues({ name, cap, expires }: Values): Partial<Values> {
  const whole = /^\d*$/.test(cap.trim()) && cap.trim() !== "0";
  return {
    ...(name.trim() === "" ? { name: "Give the key a name, such as the program that will use it" } : {}),
    ...(whole ? {} : { cap: "A whole number of credits, at least 1" }),
    ...(expires !== "" && expires < formatDay() ? { expires: "Choose a day in the future" } : {}),
  };
}

/** The end of the chosen local day. */
function getEndOfDay(day: string): string | null {
  return day === "" ? null : new Date(`${day}T23:59:59`).toISOString();
}

function getFields({ name, expires, cap, addresses }: Values, scopes: Scope[]): NamedFields {
  return {
    name: name.trim(),
    scopes,
    expires_at: getEndOfDay(expires),
    daily_credit_cap: cap.trim() === "" ? null : Number(cap),
    allowed_ips: addresses.split(/[\s,;]+/).filter(Boolean),
  };
}

const BLANK: Values = { name: "", expires: "", cap: "", addresses: "" };

function getValues({ name, expires_at, daily_credit_cap, allowed_ips }: ApiKey): Values {
  return {
    name,
    expires: expires_at ? formatDay(new Date(expires_at)) : "",
    cap: daily_credit_cap ? String(daily_credit_cap) : "",
    addresses: allowed_ips.join("\n"),
  };
}

interface KeyFormProps {
  /** The key to change; a new one without it. */
  apiKey?: ApiKey;
  /** Which mode is offered for a new one. */
  trial?: boolean;
  title: string;
  action: string;
  send: (fields: NamedFields, test: boolean) => Promise<void>;
  onClose: () => void;
}

/** Everything about a key, new or to be changed. */
export function KeyForm({ apiKey, trial = false, title, action, send, onClose }: KeyFormProps): ReactNode {
  const [scopes, setScopes] = useState<Scope[]>(apiKey?.scopes ?? ["read", "write"]);
  const [test, setTest] = useState(trial);
  const form = useForm<Values>({
    defaults: apiKey ? getValues(apiKey) : BLANK,
    check: checkValues,
    send: (values) => send(getFields(values, scopes), test),
    fallback: "The key could not be saved",
  });
  return (
    <FormDialog title={title} onClose={onClose} form={form} action={action} disabled={scopes.length === 0}>
      <EntryField form={form} name="name" label="Name" maxLength={100} />
      {apiKey ? null : (
        <ModeField
          test={test}
          onChange={setTest}
          live="Checks addresses and spends credits"
          trial="Fixed answers for test addresses; free, kept apart from your data"
        />
      )}
      <Checklist legend="What it may do" choices={SCOPES} chosen={scopes} onChange={setScopes} />
      <div className="columns-2">
        <TextField form={form} name="expires" label="Expires (optional)" type="date" min={formatDay()} />
        <TextField form={form} name="cap" label="Credits a day (optional)" inputMode="numeric" />
      </div>
      <AreaField
        form={form}
        name="addresses"
        label="Allowed IP addresses (optional)"
        hint="Addresses or networks, one per line. Leave it empty to allow any."
        className="input addresses"
        placeholder="203.0.113.0/24"
        spellCheck={false}
      />
    </FormDialog>
  );
}
