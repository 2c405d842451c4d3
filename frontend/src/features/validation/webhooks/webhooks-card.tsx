import { type UseQueryResult } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Webhook } from "../../../api/types";
import { api } from "../../../lib/client";
import { useAction } from "../../../lib/use-action";
import { useCurrentUser } from "../../accounts/profile/use-current-user";
import { Badge } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { RowMenu } from "../../../ui/row-menu";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";
import { refreshWebhooks, useWebhooks } from "./use-webhooks";
import { Deliveries } from "./deliveries";
import { TestButton } from "./test-button";
import { AddWebhook, DeleteWebhook, EditWebhook, RotateSecret } from "./webhook-dialogs";
import { ListRows } from "../../../ui/data-table/list-rows";

const WITHOUT = new Set(["free", "starter"]);
type DialogName = "edit" | "rotate" | "delete" | "log";

const DIALOGS = { edit: EditWebhook, rotate: RotateSecret, delete: DeleteWebhook, log: Deliveries };

function WebhookState({ webhook }: { webhook: Webhook }): ReactNode {
  if (webhook.is_active) return <Badge look={["Active", "plain"]} />;
  return webhook.disabled_reason === "" ? (
    <Badge look={["Off", "plain"]} />
  ) : (
    <Badge look={["Disabled", "problem"]} />
  );
}

function DisabledNotice({ webhook, onEnable }: { webhook: Webhook; onEnable: () => void }): ReactNode {
  return (
    <aside className="notice notice-danger webhook-reason">
      <p>
        We switched it off. {webhook.disabled_reason} Repair the endpoint, press Test, then Enable, and replay
        what failed.
      </p>
      <Button onClick={onEnable}>Enable</Button>
    </aside>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }): ReactNode {
  const [step, setStep] = useState<DialogName | null>(null);
  const Step = step && DIALOGS[step];
  const enabling = useAction(
    () => {
      const path = { webhook_id: webhook.id };
      return api.PUT("/api/user/webhooks/{webhook_id}", { params: { path }, body: { is_active: true } });
    },
    "The webhook could not be enabled",
    { onDone: refreshWebhooks },
  );
  const leadTo = (words: string, to: DialogName) => ({
    words,
    name: `${words} ${webhook.url}`,
    act: () => setStep(to),
  });
  return (
    <li className="stack-2 webhook-row">
      <div className="row">
        <strong className="break">{webhook.url}</strong>
        <WebhookState webhook={webhook} />
        {webhook.test ? <Badge look={["Test", "neutral"]} /> : null}
      </div>
      <p className="muted small break">{webhook.events.join(" · ")}</p>
      {webhook.maker ? <p className="muted small">Added by {webhook.maker}</p> : null}
      {webhook.disabled_reason === "" ? null : (
        <DisabledNotice webhook={webhook} onEnable={() => enabling.mutate()} />
      )}
      <div className="row">
        <TestButton webhook={webhook} />
        <RowMenu
          row={webhook.url}
          actions={[
            leadTo("Deliveries", "log"),
            leadTo("Edit", "edit"),
            leadTo("Rotate secret", "rotate"),
            leadTo("Delete", "delete"),
          ]}
        />
      </div>
      {Step ? <Step webhook={webhook} onClose={() => setStep(null)} /> : null}
    </li>
  );
}

function UpgradeHint(): ReactNode {
  return (
    <aside className="notice">
      <p>Webhooks are available from the Growth plan.</p>
      <ButtonLink href="/dashboard?tab=pricing" needs="pay">
        Upgrade
      </ButtonLink>
    </aside>
  );
}

interface WebhooksCardProps {
  /** Adds one; missing where the plan does not include webhooks. */
  add: ReactNode;
  webhooks: UseQueryResult<Webhook[]>;
}

function WebhooksCard({ add, webhooks }: WebhooksCardProps): ReactNode {
  const some = (webhooks.data ?? []).length > 0;
  return (
    <Section id="webhooks-heading" title="Webhooks" card anchor="webhooks" aside={some ? add : null}>
      <p className="muted">
        We post signed messages to your server when something happens.{" "}
        <a href="/documentation#webhooks">Events and signatures</a>
      </p>
      {add ? null : <UpgradeHint />}
      {add || some || webhooks.isError ? (
        <Loaded query={webhooks} fallback="Failed to load webhooks" rows={3}>
          {(found) => (
            <ListRows
              rows={found}
              empty={{
                title: "No webhooks yet",
                text: "Your server is told when a list is finished or credits run out. It need not ask.",
                action: add,
              }}
              item={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
            />
          )}
        </Loaded>
      ) : null}
    </Section>
  );
}

/** The endpoints that hear of events. Below Growth: a hint, and what is left of earlier times. */
export function Webhooks(): ReactNode {
  const [adding, setAdding] = useState(false);
  const me = useCurrentUser();
  const webhooks = useWebhooks();
  const gated = me.data !== undefined && WITHOUT.has(me.data.subscription_plan ?? "");
  const add = gated ? null : <Button onClick={() => setAdding(true)}>Add webhook</Button>;
  return (
    <>
      <WebhooksCard add={add} webhooks={webhooks} />
      {adding ? <AddWebhook onClose={() => setAdding(false)} /> : null}
    </>
  );
}
