import CircleCheck from "lucide-react/icons/circle-check";
import CircleDot from "lucide-react/icons/circle-dot";
import Mail from "lucide-react/icons/mail";
import MailX from "lucide-react/icons/mail-x";
import type { ReactNode } from "react";

import type { Contact } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { buildMailto } from "../../../lib/mailto";
import { Badge, type Look } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { DialogButton } from "../../../ui/dialog-button";
import { RecordDrawer, type RecordPlace } from "../../../ui/record-drawer";
import { Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { MESSAGES } from "../labels";
import { DealFromMessage } from "./deal-from-message";
import { STATES, useMarkMessage, type State } from "./use-messages";

const LOOKS: Record<State, Look> = {
  new: ["New", "plain", CircleDot],
  answered: ["Answered", "plain", CircleCheck],
  closed: ["Closed", "plain", MailX],
};

/** What can be done about a message. */
export function MessageActions({ message }: { message: Contact }): ReactNode {
  const change = useMarkMessage(message);
  const { deal_id, email, name, state, subject } = message;
  const draft = { subject: `Re: ${subject}`, body: `Hello ${name},\n\n` };
  return (
    <div className="row crm-message-actions">
      <ButtonLink
        href={buildMailto(email, draft)}
        onClick={() => (state === "new" ? change.mutate("answered") : null)}
      >
        <Mail size={16} aria-hidden />
        Reply
      </ButtonLink>
      {deal_id === null ? (
        <DialogButton dialog={(close) => <DealFromMessage message={message} onClose={close} />}>
          Make a deal
        </DialogButton>
      ) : (
        <ButtonLink href={`/admin?tab=crm&deal=${deal_id}`}>Open deal</ButtonLink>
      )}
      {STATES.filter(([other]) => other !== state).map(([other]) => (
        <Button key={other} kind="quiet" onClick={() => change.mutate(other)}>
          {other === "closed" ? "Close" : `Mark ${other}`}
        </Button>
      ))}
    </div>
  );
}

export function MessageBadge({ state }: { state: State }): ReactNode {
  return <Badge look={LOOKS[state]} />;
}

function MessageBody({ message }: { message: Contact }): ReactNode {
  const { created_at, message: text, state } = message;
  return (
    <div className="stack-4">
      <p className="row">
        <MessageBadge state={state} />
        <span className="muted small">
          <Time at={created_at} />
        </span>
      </p>
      <p className="crm-message-text break">{text}</p>
      <MessageActions message={message} />
    </div>
  );
}

/** One that is not among the rows, as after a reload. */
function LoadedMessage({ id }: { id: string }): ReactNode {
  const params = { path: { message_id: Number(id) } };
  const message = useAdminQuery([...MESSAGES, "one", id], () =>
    readData(api.GET("/api/admin/contacts/{message_id}", { params })),
  );
  return (
    <Loaded query={message} fallback="Failed to load the message" rows={4}>
      {(found) => (
        <div className="stack-2">
          <h3 className="break">{found.subject}</h3>
          <p className="muted break">
            {found.name} · {found.email}
          </p>
          <MessageBody message={found} />
        </div>
      )}
    </Loaded>
  );
}

interface MessageDrawerProps {
  place: RecordPlace;
  rows: readonly Contact[];
}

/** What a visitor wrote, in full. */
export function MessageDrawer({ place, rows }: MessageDrawerProps): ReactNode {
  const row = rows.find(({ id }) => String(id) === place.id);
  return (
    <RecordDrawer
      place={place}
      title={row?.subject ?? "Message"}
      description={row ? `${row.name} · ${row.email}` : undefined}
    >
      {row ? <MessageBody key={place.id} message={row} /> : <LoadedMessage key={place.id} id={place.id} />}
    </RecordDrawer>
  );
}
