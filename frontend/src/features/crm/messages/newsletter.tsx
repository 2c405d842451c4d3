import { useMutation } from "@tanstack/react-query";
import { Download, MailCheck, MailQuestion, MailX, Newspaper, SearchX, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Subscribers } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatNumber } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../../adminpanel/select";
import { PageButtons, usePages } from "../../adminpanel/pagination";
import { SUBSCRIBERS } from "../labels";

type Subscriber = Subscribers["subscribers"][number];
type State = Subscriber["state"];

const STATES = [
  ["confirmed", "Confirmed"],
  ["pending", "Pending"],
  ["unsubscribed", "Unsubscribed"],
] as const;
const FILTERS = [["", "All subscribers"], ...STATES] as const;
const LOOKS: Record<State, readonly [string, LucideIcon]> = {
  confirmed: ["valid", MailCheck],
  pending: ["risky", MailQuestion],
  unsubscribed: ["unknown", MailX],
};
const WORDS = Object.fromEntries(STATES) as Record<State, string>;

function useFilters() {
  const [url, update] = useUrlState();
  return {
    search: url.get("subscriber_search") ?? "",
    state: findOption(FILTERS, url.get("subscriber_state"), ""),
    setSearch: (subscriber_search: string) => update({ subscriber_search }, "replace"),
    setState: (subscriber_state: string) => update({ subscriber_state }),
    clear: () => update({ subscriber_search: null, subscriber_state: null }),
  };
}

type Filters = ReturnType<typeof useFilters>;

async function downloadSubscribers({ search, state }: Filters): Promise<void> {
  const address = new URL("/api/admin/newsletter/export", location.origin);
  address.search = new URLSearchParams({ search, state }).toString();
  const answer = await fetchAuthorised(new Request(address));
  saveBlob(await answer.blob(), "newsletter-subscribers.csv");
}

function ExportButton({ filters }: { filters: Filters }): ReactNode {
  const handing = useMutation({
    mutationFn: () => downloadSubscribers(filters),
    onError: (error) => toast.error("Failed to export", { description: getErrorMessage(error, "") }),
  });
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
        const [tone, Icon] = LOOKS[state];
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

function SubscriberRow({ subscriber }: { subscriber: Subscriber }): ReactNode {
  const { created_at, email, state } = subscriber;
  const [tone, Icon] = LOOKS[state];
  return (
    <tr>
      <td className="break">{email}</td>
      <td>
        <span className={`badge tone-${tone}`}>
          <Icon size={14} strokeWidth={2.5} aria-hidden />
          {WORDS[state]}
        </span>
      </td>
      <td className="muted only-wide">
        <Time at={created_at} />
      </td>
    </tr>
  );
}

function SubscriberTable({ subscribers }: { subscribers: Subscriber[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table">
        <TableHead columns={["Address", "State", ["Asked", "only-wide"]]} />
        <tbody>
          {subscribers.map((subscriber) => (
            <SubscriberRow key={subscriber.email} subscriber={subscriber} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SubscriberResultsProps {
  found: Subscribers;
  filters: Filters;
  /** What is below the table. */
  children: ReactNode;
}

function SubscriberResults({ found, filters, children }: SubscriberResultsProps): ReactNode {
  const { counts, subscribers } = found;
  const nobody = Object.values(counts).every((count) => count === 0);
  if (nobody) {
    return (
      <EmptyState icon={Newspaper} title="No subscribers yet">
        Who asks for the newsletter on the blog is listed here.
      </EmptyState>
    );
  }
  return (
    <>
      <Counts counts={counts} />
      {subscribers.length === 0 ? (
        <EmptyState
          icon={SearchX}
          title="No subscriber matches"
          action={<Button onClick={filters.clear}>Clear filters</Button>}
        />
      ) : (
        <SubscriberTable subscribers={subscribers} />
      )}
      {children}
    </>
  );
}

/** The view Newsletter: who asked for it. They agreed to nothing else, so nothing here makes a lead of them. */
export function Newsletter(): ReactNode {
  const filters = useFilters();
  const { search, state } = filters;
  const [cursors, setCursors] = usePages(`${state} ${search}`);
  const query = { search, state, cursor: cursors.at(-1) ?? "" };
  const subscribers = useAdminQuery<Subscribers>([...SUBSCRIBERS, query], () =>
    readData(api.GET("/api/admin/newsletter", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="newsletter-heading">
      <div className="stack-1">
        <h2 id="newsletter-heading">Newsletter</h2>
        <p className="muted">
          They agreed to the newsletter and to nothing else: do not write to them about sales.
        </p>
      </div>
      <div className="toolbar">
        <SearchField
          label="Search subscribers"
          hint="Search by a part of the address"
          value={search}
          onSearch={filters.setSearch}
        />
        <Select label="State" value={state} options={FILTERS} onChange={filters.setState} />
        <ExportButton filters={filters} />
      </div>
      <Loaded query={subscribers} fallback="Failed to load subscribers" rows={6}>
        {(found) => (
          <SubscriberResults found={found} filters={filters}>
            <PageButtons next={found.next} cursors={cursors} onChange={setCursors} />
          </SubscriberResults>
        )}
      </Loaded>
    </section>
  );
}
