import { useInfiniteQuery } from "@tanstack/react-query";
import { Receipt, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { LedgerEntry } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatNumber } from "../../../lib/format";
import { SearchField } from "../../../ui/filters";
import { LiveView } from "../../../ui/live-view";
import { EmptyState, ShowMore } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { USERS } from "./use-users";

function useUserLedger(id: number, reason: string) {
  return useInfiniteQuery({
    queryKey: ["admin", ...USERS, "ledger", id, reason],
    queryFn: ({ pageParam }) => {
      const params = { path: { user_id: id }, query: { reason, cursor: pageParam } };
      return readData(api.GET("/api/admin/users/{user_id}/ledger", { params }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
}

function LedgerRow({ entry }: { entry: LedgerEntry }): ReactNode {
  const { time, reason, reference, lot, lot_expires_at, amount, balance, staff } = entry;
  const until = lot_expires_at ? `until ${formatDateTime(lot_expires_at)}` : "never expires";
  return (
    <tr>
      <td className="muted small">
        <time dateTime={time}>{formatDateTime(time)}</time>
      </td>
      <td className="break user-cell-reason">
        {reason}
        {staff ? <div className="muted small break">by {staff}</div> : null}
        {reference ? <div className="muted small mono break">{reference}</div> : null}
      </td>
      <td className="only-wide" title={until}>
        {lot}
      </td>
      <td className="number" data-label="Credits">
        {amount > 0 ? "+" : ""}
        {formatNumber(amount)}
      </td>
      <td className="number" data-label="Balance">
        {formatNumber(balance)}
      </td>
    </tr>
  );
}

const COLUMNS = [
  ["Time", ""],
  ["Reason and reference", ""],
  ["Lot", "only-wide"],
  ["Credits", "number"],
  ["Balance", "number"],
] as const;

function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-cards user-ledger">
        <TableHead columns={COLUMNS} />
        <tbody>
          {entries.map((entry, index) => (
            <LedgerRow key={index} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function LedgerEntries({ entries, filtered }: { entries: LedgerEntry[]; filtered: boolean }): ReactNode {
  if (entries.length > 0) return <LedgerTable entries={entries} />;
  return filtered ? (
    <EmptyState icon={SearchX} title="No entry matches" />
  ) : (
    <EmptyState icon={Receipt} title="No credits have moved yet" />
  );
}

/** Every movement of an account's credits, newest first, with the balance after it. */
export function UserLedger({ id }: { id: number }): ReactNode {
  const [reason, setReason] = useState("");
  const pages = useUserLedger(id, reason);
  return (
    <div className="stack-4">
      <SearchField label="Filter by reason" value={reason} onSearch={setReason} />
      <LiveView query={pages} fallback="Failed to load the ledger" rows={5}>
        {({ pages: found }) => (
          <LedgerEntries entries={found.flatMap((page) => page.entries)} filtered={reason !== ""} />
        )}
      </LiveView>
      <ShowMore pages={pages} />
    </div>
  );
}
