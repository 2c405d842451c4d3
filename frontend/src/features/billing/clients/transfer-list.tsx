import type { ReactNode } from "react";

import type { CreditTransfer } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { ListRows } from "../../../ui/data-table/list-rows";
import { Time } from "../../../ui/values";

/** What was done, as the client and its agency both read it. */
function describeTransfer({ credits, direction, agency, client }: CreditTransfer): string {
  const giver = agency ?? "The agency";
  const amount = formatCount(credits, "credit");
  return direction === "to_client"
    ? `${giver} gave ${amount} to ${client}`
    : `${giver} took ${amount} back from ${client}`;
}

/** Transfers of credits, newest first. */
export function TransferList({ transfers }: { transfers: readonly CreditTransfer[] }): ReactNode {
  return (
    <ListRows
      rows={transfers}
      empty={{
        title: "No transfers yet",
        text: "Credits that are given or taken back are listed here.",
        plain: true,
      }}
      item={(transfer) => (
        <li key={transfer.id} className="list-row">
          <p className="grow break">{describeTransfer(transfer)}</p>
          <p className="muted small">
            <Time at={transfer.created_at} />
          </p>
        </li>
      )}
    />
  );
}
