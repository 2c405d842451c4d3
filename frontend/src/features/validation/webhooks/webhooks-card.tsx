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
import { TestButton, TestEvent } from "./test-button";
import { AddWebhook, DeleteWebhook, EditWebhook, RotateSecret } from "./webhook-dialogs";
import { ListRows } from "../../../ui/data-table/list-rows";

const WITHOUT = new Set(["free", "starter"]);
type DialogName = "edit" | "rotate" | "delete" | "log" | "test";

const DIALOGS = {
  test: TestEvent,
  edit: EditWebhook,
  rotate: RotateSecret,
  delete: DeleteWebhook,
  log: Deliveries,
};

function WebhookState({ webhook }: { webhook: Webhook }): ReactNode {
  if (webhook.is_active) return <Badge look={["Active", "plain"]} />;
  return webhook.disabled_reason === "" ? (
    <Badge look={["Off", "plain"]} />
  ) : (
    <Badge look={["Disabled", "problem"]} />
  );
}

interface OffNoticeProps {
  webhook: Webhook;
  /** The plan does not include it. */
  gated: boolean;
  onEnable: () => void;
}

function OffNotice({ webhook, gated, onEnable }: OffNoticeProps): ReactNode {
  if (gated) {
    return (
      <aside className="notice webhook-reason">
        <p>Switched off: {webhook.disabled_reason}</p>
      </aside>
    );
  }
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

/** Who added it, and with which key. */
function describeOrigin({ maker, made_by_key }: Webhook): string {
  const by = maker ? ` by ${maker}` : "";
  if (made_by_key) return `Added${by} with the key ${made_by_key}`;
  return maker ? `Added${by}` : "";
}

interface WebhookRowProps {
  webhook: Webhook;
  gated: boolean;
}

/** What can be done with it: of one that the plan does not include the log, a new secret, and its end. */
function WebhookActions({ webhook, off }: { webhook: Webhook; off: boolean }): ReactNode {
  const [step, setStep] = useState<DialogName | null>(null);
  const Step = step && DIALOGS[step];
  const leadTo = (words: string, to: DialogName) => ({
    words,
    name: `${words} ${webhook.url}`,
    act: () => setStep(to),
  });
  return (
    <div className="row">
      {off ? null : <TestButton webhook={webhook} />}
      <RowMenu
        row={webhook.url}
        actions={[
          leadTo("Deliveries", "log"),
          ...(off ? [] : [leadTo("Test an event", "test"), leadTo("Edit", "edit")]),
          leadTo("Rotate secret", "rotate"),
          leadTo("Delete", "delete"),
        ]}
      />
      {Step ? <Step webhook={webhook} onClose={() => setStep(null)} /> : null}
    </div>
  );
}

function WebhookRow({ webhook, gated }: WebhookRowProps): ReactNode {
  const off = gated && !webhook.test;
  const origin = describeOrigin(webhook);
  const enabling = useAction(
    () => {
      const path = { webhook_id: webhook.id };
      return api.PUT("/api/user/webhooks/{webhook_id}", { params: { path }, body: { is_active: true } });
    },
    "The webhook could not be enabled",
    { onDone: refreshWebhooks },
  );
  return (
    <li className="stack-2 webhook-row">
      <div className="row">
        <strong className="break">{webhook.url}</strong>
        <WebhookState webhook={webhook} />
        {webhook.test ? <Badge look={["Test", "neutral"]} /> : null}
      </div>
      <p className="muted small break">{webhook.events.join(" · ")}</p>
      {origin === "" ? null : <p className="muted small break">{origin}</p>}
      {webhook.disabled_reason === "" ? null : (
        <OffNotice webhook={webhook} gated={off} onEnable={() => enabling.mutate()} />
      )}
      <WebhookActions webhook={webhook} off={off} />
    </li>
  );
}

function UpgradeHint(): ReactNode {
  return (
    <aside className="notice">
      <p>Test endpoints are included, live ones come with Growth.</p>
      <ButtonLink href="/dashboard?tab=pricing" needs="pay">
        Upgrade
      </ButtonLink>
    </aside>
  );
}

interface WebhooksCardProps {
  /** Adds one. */
  add: ReactNode;
  /** The plan includes no live ones. */
  gated: boolean;
  webhooks: UseQueryResult<Webhook[]>;
}

function WebhooksCard({ add, gated, webhooks }: WebhooksCardProps): ReactNode {
  const some = (webhooks.data ?? []).length > 0;
  return (
    <Section id="webhooks-heading" title="Webhooks" card anchor="webhooks" aside={some ? add : null}>
      <p className="muted">
        We post signed messages to your server when something happens.{" "}
        <a href="/documentation#webhooks">Events and signatures</a>
      </p>
      {gated ? <UpgradeHint /> : null}
      <Loaded query={webhooks} fallback="Failed to load webhooks" rows={3}>
        {(found) => (
          <ListRows
            rows={found}
            empty={{
              title: "No webhooks yet",
              text: "Your server is told when a list is finished or credits run out. It need not ask.",
              action: add,
            }}
            item={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} gated={gated} />}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** The endpoints that hear of events. Below Growth: those of test mode, a hint, and what is left of earlier times. */
export function Webhooks(): ReactNode {
  const [adding, setAdding] = useState(false);
  const me = useCurrentUser();
  const webhooks = useWebhooks();
  const gated = me.data !== undefined && WITHOUT.has(me.data.subscription_plan ?? "");
  const add = <Button onClick={() => setAdding(true)}>{gated ? "Add test webhook" : "Add webhook"}</Button>;
  return (
    <>
      <WebhooksCard add={add} gated={gated} webhooks={webhooks} />
      {adding ? <AddWebhook gated={gated} onClose={() => setAdding(false)} /> : null}
    </>
  );
}
