import { CircleCheck, CircleDot, Inbox, Mail, MailX, SearchX, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Contact, Contacts } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatCount } from "../../../lib/format";
import { buildMailto } from "../../../lib/mailto";
import { useUrlState } from "../../../lib/url-state";
import { Button, ButtonLink } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../../adminpanel/select";
import { PageButtons, usePages } from "../../adminpanel/pagination";
import { MESSAGES } from "../labels";
import { DealFromMessage } from "./deal-from-message";
import { STATES, useMarkMessage, type State } from "./use-messages";

const FILTERS = [["", "All messages"], ...STATES] as const;
const LOOKS: Record<State, readonly [string, string, LucideIcon]> = {
  new: ["New", "accent", CircleDot],
  answered: ["Answered", "valid", CircleCheck],
  closed: ["Closed", "unknown", MailX],
};

function StateBadge({ state }: { state: State }): ReactNode {
  const [word, tone, Icon] = LOOKS[state];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}

function MessageActions({ message }: { message: Contact }): ReactNode {
  const [making, setMaking] = useState(false);
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
        <Button onClick={() => setMaking(true)}>Make a deal</Button>
      ) : (
        <ButtonLink href={`/admin?tab=crm&deal=${deal_id}`}>Open deal</ButtonLink>
      )}
      {STATES.filter(([other]) => other !== state).map(([other]) => (
        <Button key={other} kind="quiet" onClick={() => change.mutate(other)}>
          {other === "closed" ? "Close" : `Mark ${other}`}
        </Button>
      ))}
      {making ? <DealFromMessage message={message} onClose={() => setMaking(false)} /> : null}
    </div>
  );
}

function MessageEntry({ message }: { message: Contact }): ReactNode {
  const { created_at, email, message: text, name, state, subject } = message;
  return (
    <li className="crm-message stack-2" aria-label={subject}>
      <div className="row row-between">
        <h3 className="break">{subject}</h3>
        <StateBadge state={state} />
      </div>
      <p className="muted small break">
        {name} · {email} · <Time at={created_at} />
      </p>
      <p className="crm-message-text break">{text}</p>
      <MessageActions message={message} />
    </li>
  );
}

function useFilters() {
  const [url, update] = useUrlState();
  return {
    search: url.get("message_search") ?? "",
    state: findOption(FILTERS, url.get("message_state"), ""),
    setSearch: (message_search: string) => update({ message_search }, "replace"),
    setState: (message_state: string) => update({ message_state }),
    clear: () => update({ message_search: null, message_state: null }),
  };
}

function NoMessages({ filtered, onClear }: { filtered: boolean; onClear: () => void }): ReactNode {
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title="No message matches"
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  return (
    <EmptyState icon={Inbox} title="No messages yet">
      What visitors write on the contact page is listed here.
    </EmptyState>
  );
}

/** The view Messages: what visitors wrote, newest first. */
export function Messages(): ReactNode {
  const { search, state, setSearch, setState, clear } = useFilters();
  const [cursors, setCursors] = usePages(`${state} ${search}`);
  const query = { search, state, cursor: cursors.at(-1) ?? "" };
  const messages = useAdminQuery<Contacts>([...MESSAGES, query], () =>
    readData(api.GET("/api/admin/contacts", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="messages-heading">
      <h2 id="messages-heading">Messages</h2>
      <div className="toolbar">
        <SearchField
          label="Search messages"
          hint="Search by name, address or words"
          value={search}
          onSearch={setSearch}
        />
        <Select label="State" value={state} options={FILTERS} onChange={setState} />
      </div>
      <Loaded query={messages} fallback="Failed to load messages" rows={6}>
        {({ contacts, next, total }) =>
          contacts.length === 0 ? (
            <NoMessages filtered={search + state !== ""} onClear={clear} />
          ) : (
            <>
              <ul className="crm-messages">
                {contacts.map((message) => (
                  <MessageEntry key={message.id} message={message} />
                ))}
              </ul>
              <div className="row row-between">
                <p className="muted small nums">{formatCount(total, "message")}</p>
                <PageButtons next={next} cursors={cursors} onChange={setCursors} />
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
