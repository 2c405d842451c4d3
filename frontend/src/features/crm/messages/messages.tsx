import type { ReactNode } from "react";

import type { Contact, Contacts } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { Section } from "../../../ui/section";
import { Time } from "../../../ui/values";
import { MESSAGES } from "../labels";
import { useRecord } from "../../../lib/use-record";
import { MessageActions, MessageBadge, MessageDrawer } from "./message-drawer";
import { STATES } from "./use-messages";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager, BY_TIME } from "../../../ui/data-table/pager";
import { useAdminRows } from "../../adminpanel/use-admin-query";

interface MessageEntryProps {
  message: Contact;
  onOpen: () => void;
}

function MessageEntry({ message, onOpen }: MessageEntryProps): ReactNode {
  const { id, created_at, email, message: text, name, state, subject } = message;
  return (
    <li className="crm-message stack-2" aria-label={subject}>
      <div className="row row-between">
        <h3 className="break">
          <button type="button" className="link-plain" data-record={id} onClick={onOpen}>
            {subject}
          </button>
        </h3>
        <MessageBadge state={state} />
      </div>
      <p className="muted small break">
        {name} · {email} · <Time at={created_at} />
      </p>
      <p className="crm-message-text crm-message-start break">{text}</p>
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
  const record = useRecord();
  const rows = messages.data?.contacts ?? [];
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
        item={(message) => (
          <MessageEntry key={message.id} message={message} onOpen={() => record.open(message.id)} />
        )}
      />
      {record.id === null ? null : (
        <MessageDrawer place={{ id: record.id, ids: rows.map(({ id }) => String(id)), record }} rows={rows} />
      )}
    </Section>
  );
}
