import { useState, type ReactNode } from "react";

import type { Webhook, WebhookFields } from "../../../api/types";
import { useForm } from "../../../lib/use-form";
import { Checkbox } from "../../../ui/checkbox";
import { Checklist } from "../../../ui/checklist";
import { EntryField } from "../../../ui/form";
import { ModeField } from "../../accounts/keys/mode-field";
import { EVENT_NAMES, EVENTS } from "./use-webhooks";
import { FormDialog } from "../../../ui/form-dialog";

const EVENT_CHOICES = EVENT_NAMES.map((event) => ({ key: event, hint: EVENTS[event] }));

function checkValues({ url }: { url: string }): { url?: string } {
  return /^https:\/\/\S+$/i.test(url.trim())
    ? {}
    : { url: "Enter the address of your endpoint. It must begin with https://" };
}

/** Everything that a webhook is made of, but for its mode. */
export type NamedFields = Required<WebhookFields>;

const BLANK: Pick<Webhook, "url" | "events" | "is_active"> = {
  url: "",
  events: ["batch.completed"],
  is_active: true,
};

interface WebhookFormProps {
  /** The one to change; a new one without it. */
  webhook?: Webhook;
  title: string;
  action: string;
  /** The plan includes none but those of test mode. */
  gated?: boolean;
  send: (fields: NamedFields, test: boolean) => Promise<void>;
  onClose: () => void;
}

/** Everything about a webhook, new or to be changed. */
export function WebhookForm(props: WebhookFormProps): ReactNode {
  const { webhook, title, action, gated = false, send, onClose } = props;
  const known = webhook ?? BLANK;
  const [events, setEvents] = useState(known.events);
  const [active, setActive] = useState(known.is_active);
  const [test, setTest] = useState(gated);
  const form = useForm({
    defaults: { url: known.url },
    check: checkValues,
    send: ({ url }) => send({ url: url.trim(), events, is_active: active }, test),
    fallback: "The webhook could not be saved",
  });
  return (
    <FormDialog title={title} onClose={onClose} form={form} action={action} disabled={events.length === 0}>
      <EntryField
        form={form}
        name="url"
        type="url"
        label="Address of your endpoint"
        hint="A public https address on port 443."
        placeholder="https://example.com/hook"
        maxLength={1000}
        spellCheck={false}
      />
      {webhook || gated ? null : (
        <ModeField
          test={test}
          onChange={setTest}
          live="Events of the dashboard and of live keys"
          trial="Events of test keys only"
        />
      )}
      <Checklist legend="Events" choices={EVENT_CHOICES} chosen={events} onChange={setEvents} />
      <Checkbox
        label="Active"
        hint="While it is off, nothing is sent or kept for later"
        checked={active}
        onChange={setActive}
      />
    </FormDialog>
  );
}
