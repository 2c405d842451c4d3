import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Webhook, WebhookEvent } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { ActDialog } from "../../../ui/dialog";
import { RadioField } from "../../../ui/radio-field";
import { EVENTS, refreshWebhooks } from "./use-webhooks";

/** Sends an example of an event, or of the endpoint's first, and says what came of it. */
function useTest(webhook: Webhook, onEnd?: () => void) {
  return useAction(
    (event: WebhookEvent | undefined) => {
      const params = { path: { webhook_id: webhook.id } };
      return readData(
        api.POST("/api/user/webhooks/{webhook_id}/test", { params, body: event ? { event } : {} }),
      );
    },
    "The test could not be sent",
    {
      onDone: ({ delivered, message }) => {
        if (delivered) toast.success(message);
        else toast.error(message);
        return refreshWebhooks();
      },
      onEnd,
    },
  );
}

/** Sends an example to an endpoint. */
export function TestButton({ webhook }: { webhook: Webhook }): ReactNode {
  const testing = useTest(webhook);
  return (
    <Button
      aria-label={`Test ${webhook.url}`}
      busy={testing.isPending}
      onClick={() => testing.mutate(undefined)}
    >
      Test
    </Button>
  );
}

interface TestEventProps {
  webhook: Webhook;
  onClose: () => void;
}

/** Asks of which event an example is sent. */
export function TestEvent({ webhook, onClose }: TestEventProps): ReactNode {
  const [event, setEvent] = useState(webhook.events[0]);
  const testing = useTest(webhook, onClose);
  return (
    <ActDialog
      title="Send an example"
      action="Send example"
      kind="primary"
      busy={testing.isPending}
      onAct={() => testing.mutate(event)}
      onClose={onClose}
    >
      <RadioField
        legend="Event"
        name="event"
        options={webhook.events.map((name) => [name, name, EVENTS[name]] as const)}
        value={event}
        onChange={setEvent}
      />
    </ActDialog>
  );
}
