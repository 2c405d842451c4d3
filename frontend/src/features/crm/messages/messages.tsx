import CircleCheck from "lucide-react/icons/circle-check";
import CircleDot from "lucide-react/icons/circle-dot";
import Mail from "lucide-react/icons/mail";
import MailX from "lucide-react/icons/mail-x";
import type { ReactNode } from "react";

import type { Contact, Contacts } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { buildMailto } from "../../../lib/mailto";
import { Badge, type Look } from "../../../ui/badge";
import { Button, ButtonLink } from "../../../ui/button";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { Time } from "../../../ui/values";
import { MESSAGES } from "../labels";
import { DealFromMessage } from "./deal-from-message";
import { STATES, useMarkMessage, type State } from "./use-messages";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager, BY_TIME } from "../../../ui/data-table/pager";
import { useAdminRows } from "../../adminpanel/use-admin-query";

const LOOKS: Record<State, Look> = {
  new: ["New", "accent", CircleDot],
  answered: ["Answered", "valid", CircleCheck],
  closed: ["Closed", "unknown", MailX],
};

function MessageActions({ message }: { message: Contact }): ReactNode {
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

function MessageEntry({ message }: { message: Contact }): ReactNode {
  const { created_at, email, message: text, name, state, subject } = message;
  return (
    <li className="crm-message stack-2" aria-label={subject}>
      <div className="row row-between">
        <h3 className="break">{subject}</h3>
        <Badge look={LOOKS[state]} />
      </div>
      <p className="muted small break">
        {name} · {email} · <Time at={created_at} />
      </p>
      <p className="crm-message-text break">{text}</p>
      <MessageActions message={message} />
    </li>
  );
}

const FILTERS = {
  message_search: { label: "Search messages", hint: "Search by name, address or words" },
  message_state: { label: "State", options: [["", "All messages"], ...STATES] as const },
};

/** The view Messages: what visitors wrote, newest first. */
export function Messages(): ReactNode {
  const view = useTableView(FILTERS);
  const { message_search, message_state } = view.values;
  const query = { search: message_search, state: message_state, cursor: view.cursor };
  const messages = useAdminRows<Contacts>([...MESSAGES, query], () =>
    readData(api.GET("/api/admin/contacts", { params: { query } })),
  );
  return (
    <Section id="messages-heading" title="Messages">
      <FilterBar view={view} />
      <QueryList
        query={messages}
        fallback="Failed to load messages"
        skeleton={6}
        view={view}
        pick={({ contacts }) => contacts}
        empty={{
          title: "No messages yet",
          text: "What visitors write on the contact page is listed here.",
        }}
        noMatch={{ title: "No message matches" }}
        foot={(found) => <CursorPager {...found} view={view} thing="message" words={BY_TIME} />}
        className="crm-messages"
        item={(message) => <MessageEntry key={message.id} message={message} />}
      />
    </Section>
  );
}
