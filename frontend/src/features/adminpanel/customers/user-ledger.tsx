import { useState, type ReactNode } from "react";

import type { LedgerEntry, StaffUser } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDateTime, formatNumber } from "../../../lib/format";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { QueryTable } from "../../../ui/data-table/query-table";
import { SearchField } from "../../../ui/filters";
import { SelectField } from "../../../ui/select";
import { ShowMore } from "../../../ui/states";
import { useGrowingList } from "../../../lib/use-growing-list";
import { findOwned, listOrganisationOptions } from "./owned-organisations";
import { USERS } from "./use-users";

function useUserLedger(id: number, organisation: string, reason: string) {
  return useGrowingList({
    key: ["admin", ...USERS, "ledger", id, organisation, reason],
    load: (cursor) => {
      const params = { path: { user_id: id }, query: { organisation, reason, cursor } };
      return readData(api.GET("/api/admin/users/{user_id}/ledger", { params }));
    },
  });
}

function formatExpiry({ lot_expires_at }: LedgerEntry): string {
  return lot_expires_at ? `until ${formatDateTime(lot_expires_at)}` : "never expires";
}

const COLUMNS: readonly Column<LedgerEntry>[] = [
  textColumn("time", "Time", ({ time }) => <time dateTime={time}>{formatDateTime(time)}</time>, {
    className: "muted small",
    labelled: false,
  }),
  textColumn("reason", "Reason and reference", ({ reason }) => reason, {
    className: "break user-cell-reason",
    labelled: false,
    note: ({ staff, reference }) => (
      <>
        {staff ? <div>by {staff}</div> : null}
        {reference ? <div className="mono">{reference}</div> : null}
      </>
    ),
  }),
  textColumn("lot", "Lot", (entry) => <span title={formatExpiry(entry)}>{entry.lot}</span>, {
    hideBelow: "narrow",
  }),
  textColumn("credits", "Credits", ({ amount }) => `${amount > 0 ? "+" : ""}${formatNumber(amount)}`, {
    align: "number",
  }),
  numberColumn("balance", "Balance", ({ balance }) => balance),
];

/** Every movement of the credits of an organisation that the person owns, newest first, with the balance after it. */
export function UserLedger({ user }: { user: StaffUser }): ReactNode {
  const { owned_organisations: owned } = user;
  const [organisation, setOrganisation] = useState(findOwned(user, null)?.id ?? "");
  const [reason, setReason] = useState("");
  const pages = useUserLedger(user.id, organisation, reason);
  return (
    <div className="stack-4">
      {owned.length > 1 ? (
        <SelectField
          label="Organisation"
          value={organisation}
          options={listOrganisationOptions(owned)}
          onChange={setOrganisation}
        />
      ) : null}
      <SearchField label="Filter by reason" value={reason} onSearch={setReason} />
      <QueryTable
        label="Ledger"
        phone="cards"
        className="user-ledger table-snug"
        query={pages}
        fallback="Failed to load the ledger"
        skeleton={5}
        view={{ filtered: reason !== "", clear: () => setReason("") }}
        columns={COLUMNS}
        pick={({ pages: found }) => found.flatMap(({ entries }) => entries)}
        getKey={(_, index) => index}
        empty={{
          title: "No credits have moved yet",
          text: "Grants, checks and refunds appear here, newest first.",
        }}
        noMatch={{ title: "No entry matches" }}
      />
      <ShowMore pages={pages} />
    </div>
  );
}
