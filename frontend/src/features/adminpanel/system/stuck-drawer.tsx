import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { StuckPiece } from "../../../api/types";
import { formatDuration, formatNumber } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import type { OpenRecord } from "../../../lib/use-record";
import { Facts, type Fact } from "../../../ui/facts";
import { RecordDrawer } from "../../../ui/record-drawer";
import { Loaded } from "../../../ui/states";
import { formatTitle, getName, StuckActions } from "./stuck-actions";

function StuckBody({ work }: { work: StuckPiece }): ReactNode {
  const { age_seconds, attempts, error, id, kind, state } = work;
  const lines: Fact[] = [
    ["Kind", toSentenceCase(kind)],
    ["ID", <code key="id">{id}</code>],
    ["State", toSentenceCase(state)],
    ["Age", formatDuration(age_seconds)],
    ["Attempts", formatNumber(attempts)],
  ];
  return (
    <div className="stack-4">
      <Facts facts={lines} />
      {error ? (
        <section className="stack-1" aria-label="Error">
          <h3>Error</h3>
          <p className="mono small break">{error}</p>
        </section>
      ) : null}
      <StuckActions work={work} />
    </div>
  );
}

interface DrawerProps {
  record: OpenRecord;
  query: UseQueryResult<{ work: StuckPiece[] }>;
}

/** The piece of work that is open, if one is. */
export function StuckDrawer({ record, query }: DrawerProps): ReactNode {
  const { id } = record;
  if (id === null) return null;
  const rows = query.data?.work ?? [];
  const work = rows.find((one) => getName(one) === id);
  return (
    <RecordDrawer
      place={{ id, ids: rows.map(getName), record }}
      title={work ? formatTitle(work) : "Stuck work"}
    >
      <Loaded query={query} fallback="Failed to load stuck work" rows={4}>
        {() => (work ? <StuckBody key={id} work={work} /> : <p>It is not stuck any more.</p>)}
      </Loaded>
    </RecordDrawer>
  );
}
