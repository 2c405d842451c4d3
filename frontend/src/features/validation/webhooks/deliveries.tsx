import { useState, type ReactNode } from "react";

import type { Delivery, Webhook } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { QueryList } from "../../../ui/data-table/query-table";
import { Dialog } from "../../../ui/dialog";
import { Select } from "../../../ui/select";
import { ShowMore } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { getMessage, useAction } from "../../../lib/use-action";
import { refreshWebhooks, useDeliveries, type Status } from "./use-webhooks";
import { TestButton } from "./test-button";
import { DeliveryBadge, DeliveryView } from "./delivery";

const STATUSES = [
  ["", "All deliveries"],
  ["pending", "Pending"],
  ["delivered", "Delivered"],
  ["failed", "Failed"],
] as const;

/** What came back, and when it is tried again. */
function describeOutcome({ attempts, response_status }: Delivery): string {
  if (attempts === 0) return "not sent yet";
  return `${formatCount(attempts, "attempt")} · ${response_status ? `answered ${response_status}` : "no answer"}`;
}

function DeliveryRow({ delivery, onOpen }: { delivery: Delivery; onOpen: () => void }): ReactNode {
  const { event, status, created_at, next_attempt_at } = delivery;
  return (
    <li>
      <button type="button" className="delivery-row" onClick={onOpen}>
        <code>{event}</code>
        <span className="muted small">
          <Time at={created_at} /> · {describeOutcome(delivery)}
          {next_attempt_at && delivery.attempts > 0 ? (
            <>
              {" "}
              · next try <Time at={next_attempt_at} />
            </>
          ) : null}
        </span>
        <DeliveryBadge status={status} />
      </button>
    </li>
  );
}

interface ReplayFailedProps {
  webhook: Webhook;
  /** What is listed shows that none failed. */
  none: boolean;
}

function ReplayFailed({ webhook, none }: ReplayFailedProps): ReactNode {
  const replaying = useAction(
    () => {
      const params = { path: { webhook_id: webhook.id } };
      return readData(api.POST("/api/user/webhooks/{webhook_id}/replay-failed", { params, body: {} }));
    },
    "The deliveries could not be queued again",
    { done: getMessage, onDone: refreshWebhooks },
  );
  return (
    <Button disabled={none} busy={replaying.isPending} onClick={() => replaying.mutate()}>
      Replay failed
    </Button>
  );
}

/** Whether all deliveries, or all that failed, are listed, and none of them failed. */
function isWithoutFailures(status: Status | "", pages: ReturnType<typeof useDeliveries>): boolean {
  if (!pages.data || pages.hasNextPage || status === "pending" || status === "delivered") return false;
  return !pages.data.pages.some(({ deliveries }) => deliveries.some((one) => one.status === "failed"));
}

function DeliveryLog({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }): ReactNode {
  const [status, setStatus] = useState<Status | "">("");
  const pages = useDeliveries(webhook, status);
  return (
    <div className="stack-4">
      <div className="row row-between">
        <Select label="State of the deliveries" value={status} options={STATUSES} onChange={setStatus} />
        <ReplayFailed webhook={webhook} none={isWithoutFailures(status, pages)} />
      </div>
      <QueryList
        query={pages}
        fallback="Failed to load the deliveries"
        skeleton={5}
        view={{ filtered: status !== "", clear: () => setStatus("") }}
        pick={({ pages: found }) => found.flatMap(({ deliveries }) => deliveries)}
        empty={{
          title: "Nothing was sent yet",
          text: "Every event sent to this webhook is listed here for 30 days. “Test” sends an example.",
          action: <TestButton webhook={webhook} />,
        }}
        noMatch={{ title: `No deliveries are ${status}`, action: "Clear filter" }}
        item={(delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => onOpen(delivery.id)} />
        )}
      />
      <ShowMore pages={pages} />
    </div>
  );
}

/** The log of an endpoint, and one delivery of it. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): ReactNode {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Dialog
      title={open ? "Delivery" : "Deliveries"}
      description={<span className="break">{webhook.url}</span>}
      onClose={onClose}
      wide
    >
      {open ? (
        <DeliveryView webhook={webhook} id={open} onBack={() => setOpen(null)} />
      ) : (
        <DeliveryLog webhook={webhook} onOpen={setOpen} />
      )}
    </Dialog>
  );
}
