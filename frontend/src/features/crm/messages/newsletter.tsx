import Download from "lucide-react/icons/download";
import MailCheck from "lucide-react/icons/mail-check";
import MailQuestion from "lucide-react/icons/mail-question-mark";
import MailX from "lucide-react/icons/mail-x";
import type { ReactNode } from "react";

import type { Subscribers } from "../../../api/types";
import { downloadFile } from "../../../lib/download-file";
import { useAction } from "../../../lib/use-action";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { Address } from "../../../ui/address";
import { Badge, type Look } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { SUBSCRIBERS } from "../labels";

type Subscriber = Subscribers["subscribers"][number];
type State = Subscriber["state"];

const STATES = [
  ["confirmed", "Confirmed"],
  ["pending", "Pending"],
  ["unsubscribed", "Unsubscribed"],
] as const;
const FILTERS = {
  subscriber_search: { label: "Search subscribers", hint: "Search by a part of the address" },
  subscriber_state: { label: "State", options: [["", "All subscribers"], ...STATES] as const },
};
const LOOKS: Record<State, Look> = {
  confirmed: ["Confirmed", "plain", MailCheck],
  pending: ["Pending", "plain", MailQuestion],
  unsubscribed: ["Unsubscribed", "plain", MailX],
};

interface Wanted {
  search: string;
  state: State | "";
}

function downloadSubscribers(wanted: Wanted): Promise<void> {
  const query = new URLSearchParams({ ...wanted }).toString();
  return downloadFile(`/api/admin/newsletter/export?${query}`, "newsletter-subscribers.csv");
}

function ExportButton({ wanted }: { wanted: Wanted }): ReactNode {
  const handing = useAction(() => downloadSubscribers(wanted), "Failed to export", { says: "described" });
  return (
    <Button busy={handing.isPending} onClick={() => handing.mutate()}>
      <Download size={16} aria-hidden />
      Export CSV
    </Button>
  );
}

function Counts({ counts }: { counts: Subscribers["counts"] }): ReactNode {
  return (
    <dl className="crm-counts">
      {STATES.map(([state, word]) => {
        const [, tone, Icon] = LOOKS[state];
        return (
          <div key={state} className={`count tone-${tone}`}>
            <dt>
              <Icon size={16} aria-hidden />
              {word}
            </dt>
            <dd>{formatNumber(counts[state] ?? 0)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

const COLUMNS: readonly Column<Subscriber>[] = [
  textColumn("email", "Address", ({ email }) => <Address email={email} />),
  textColumn("state", "State", ({ state }) => <Badge look={LOOKS[state]} />),
  timeColumn("asked", "Asked", ({ created_at }) => created_at, { hideBelow: "narrow" }),
];

function hasSubscribers({ counts }: Subscribers): boolean {
  return Object.values(counts).some((count) => count > 0);
}

/** The view Newsletter: who asked for it. They agreed to nothing else, so nothing here makes a lead of them. */
export function Newsletter(): ReactNode {
  const view = useTableView(FILTERS);
  const wanted = { search: view.values.subscriber_search, state: view.values.subscriber_state };
  const query = { ...wanted, cursor: view.cursor };
  const subscribers = useAdminRows<Subscribers>([...SUBSCRIBERS, query], () =>
    readData(api.GET("/api/admin/newsletter", { params: { query } })),
  );
  const nobody = subscribers.data !== undefined && !hasSubscribers(subscribers.data);
  return (
    <section className="stack-4" aria-labelledby="newsletter-heading">
      <div className="stack-1">
        <h2 id="newsletter-heading">Newsletter</h2>
        <p className="muted">
          They agreed to the newsletter and to nothing else: do not write to them about sales.
        </p>
      </div>
      <FilterBar view={view}>
        <ExportButton wanted={wanted} />
      </FilterBar>
      <QueryTable
        label="Newsletter"
        query={subscribers}
        fallback="Failed to load subscribers"
        skeleton={6}
        view={nobody ? { ...view, filtered: false } : view}
        columns={COLUMNS}
        pick={(found) => found.subscribers}
        getKey={({ email }) => email}
        above={(found) => (hasSubscribers(found) ? <Counts counts={found.counts} /> : null)}
        empty={{
          title: "No subscribers yet",
          text: "Who asks for the newsletter on the blog is listed here.",
        }}
        noMatch={{ title: "No subscriber matches" }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
      />
    </section>
  );
}
