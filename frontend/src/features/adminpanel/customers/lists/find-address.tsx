import { useState, type ReactNode } from "react";

import type { FoundAddress } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";
import { formatDateTime, formatNumber } from "../../../../lib/format";
import { Button } from "../../../../ui/button";
import { CategoryBadge } from "../../../../ui/status-badge";
import { focusOnArrival } from "../../../../lib/focus";
import { AccessReasonForm } from "./access-reason-form";
import { reloadActivity } from "../user-activity";

interface AddressMatches {
  address: string;
  rows: FoundAddress[];
}

function RowReference({ row }: { row: FoundAddress }): ReactNode {
  if (row.list_id === null) return "Single check";
  return (
    <>
      Row {formatNumber(row.row)} of <span className="mono small">{row.list_id}</span>
    </>
  );
}

function MatchTable({ address, rows }: AddressMatches): ReactNode {
  return (
    <div className="stack-2" role="status">
      <p className="break">
        {rows.length === 0 ? "Not in the lists or single checks of this account: " : "Found: "}
        <strong>{address}</strong>
      </p>
      <ul className="user-matches user-lines">
        {rows.map((row, index) => (
          <li key={index}>
            <span className="break">
              <RowReference row={row} />
            </span>
            <span className="row">
              <CategoryBadge category={row.category} />
              <span className="muted small">{formatDateTime(row.checked_at)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Looks for one address in what an account had checked, after a reason. */
export function FindAddress({ userId }: { userId: number }): ReactNode {
  const [step, setStep] = useState<"closed" | "asking" | "left">("closed");
  const [found, setFound] = useState<AddressMatches | null>(null);
  const findRows = async ({ address, reason }: { address: string; reason: string }) => {
    const params = { path: { user_id: userId } };
    const body = { address, reason };
    const answer = await readData(api.POST("/api/admin/users/{user_id}/addresses", { params, body }));
    setFound({ address, rows: answer.found });
    setStep("left");
    await reloadActivity(userId);
  };
  return (
    <div className="stack-4">
      {found ? <MatchTable {...found} /> : null}
      {step === "asking" ? (
        <AccessReasonForm
          withAddress
          action="Find address"
          fallback="Failed to look for the address"
          send={findRows}
          onCancel={() => setStep("left")}
        />
      ) : (
        <div className="row">
          <Button ref={step === "left" ? focusOnArrival : null} onClick={() => setStep("asking")}>
            Find an address…
          </Button>
        </div>
      )}
    </div>
  );
}
