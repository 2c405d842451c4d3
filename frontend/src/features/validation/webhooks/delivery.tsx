import ArrowLeft from "lucide-react/icons/arrow-left";
import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import OctagonX from "lucide-react/icons/octagon-x";
import type { ReactNode } from "react";

import type { Attempt, DeliveryDetail, Webhook } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatNumber } from "../../../lib/format";
import { formatJson } from "../../../lib/json";
import { Badge, type Look } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { getMessage, useAction } from "../../../lib/use-action";
import { refreshWebhooks, useDelivery, type Status } from "./use-webhooks";

const LOOKS: Record<Status, Look> = {
  pending: ["Pending", "plain", Clock],
  delivered: ["Delivered", "plain", CircleCheck],
  failed: ["Failed", "problem", OctagonX],
};

export function DeliveryBadge({ status }: { status: Status }): ReactNode {
  return <Badge look={LOOKS[status]} />;
}

function TextBlock({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div className="stack-1">
      <p className="muted small">{label}</p>
      <pre className="call-text">{text}</pre>
    </div>
  );
}

function DeliveryTry({ attempt }: { attempt: Attempt }): ReactNode {
  const { time, status, error, response_body, duration_ms } = attempt;
  return (
    <li className="stack-2 delivery-try">
      <p className="row row-between">
        <strong>{error === "" ? `Answered ${status ?? ""}` : error}</strong>
        <span className="muted small nums">
          <Time at={time} /> · {formatNumber(duration_ms)} ms
        </span>
      </p>
      {response_body === "" ? null : <TextBlock label="Response" text={response_body} />}
    </li>
  );
}

function RequestBlock({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const headers = Object.entries(delivery.request_headers);
  return (
    <section className="stack-2">
      <h3>Request</h3>
      {headers.length === 0 ? null : (
        <TextBlock label="Headers" text={headers.map(([name, value]) => `${name}: ${value}`).join("\n")} />
      )}
      <TextBlock label="Body" text={formatJson(delivery.request_body)} />
    </section>
  );
}

function DeliveryTries({ delivery }: { delivery: DeliveryDetail }): ReactNode {
  const { attempts_log, next_attempt_at, status } = delivery;
  return (
    <section className="stack-2">
      <h3>Attempts</h3>
      {attempts_log.length === 0 ? <p className="muted">Not sent yet.</p> : null}
      <ol className="delivery-tries">
        {attempts_log.map((attempt) => (
          <DeliveryTry key={attempt.time} attempt={attempt} />
        ))}
      </ol>
      {status === "pending" && next_attempt_at ? (
        <p className="muted">Next try: {formatDateTime(next_attempt_at)}</p>
      ) : null}
    </section>
  );
}

interface DeliveryProps {
  webhook: Webhook;
  id: string;
  onBack: () => void;
}

/** One delivery: what was sent and what came back at each try. */
export function DeliveryView({ webhook, id, onBack }: DeliveryProps): ReactNode {
  const delivery = useDelivery(webhook, id);
  const replaying = useAction(
    () => {
      const path = { webhook_id: webhook.id, delivery_id: id };
      const call = "/api/user/webhooks/{webhook_id}/deliveries/{delivery_id}/replay";
      return readData(api.POST(call, { params: { path } }));
    },
    "The delivery could not be queued again",
    { done: getMessage, onDone: refreshWebhooks },
  );
  return (
    <div className="stack-4">
      <div className="row row-between delivery-head">
        <Button kind="quiet" onClick={onBack}>
          <ArrowLeft size={16} aria-hidden />
          All deliveries
        </Button>
        <Button busy={replaying.isPending} onClick={() => replaying.mutate()}>
          Replay
        </Button>
      </div>
      <Loaded query={delivery} fallback="Failed to load the delivery" rows={4}>
        {(found) => (
          <>
            <p className="row">
              <code>{found.event}</code>
              <DeliveryBadge status={found.status} />
              <span className="muted small break">{found.webhook_id}</span>
            </p>
            <DeliveryTries delivery={found} />
            <RequestBlock delivery={found} />
          </>
        )}
      </Loaded>
    </div>
  );
}
