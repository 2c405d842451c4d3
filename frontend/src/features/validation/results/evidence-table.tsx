import type { ReactNode } from "react";

import type { Evidence } from "../../../api/types";
import { formatMilliseconds, NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { sortByWeight } from "./replies";
import { OutcomeMark } from "./technical-checks";

const COLUMNS: readonly Column<Evidence>[] = [
  textColumn("check", "Check", ({ check }) => toSentenceCase(check)),
  textColumn("outcome", "Outcome", ({ outcome }) => <OutcomeMark outcome={outcome} />),
  textColumn("found", "Found", ({ detail }) => detail || NO_VALUE, { className: "break" }),
  textColumn("source", "Source", ({ source }) => source || NO_VALUE, { className: "muted small break" }),
  textColumn("time", "Time", ({ time_ms }) => formatMilliseconds(time_ms), {
    align: "number",
    className: "muted",
  }),
];

/** Every named check with its outcome, what was found, where it comes from and how long it took. */
export function EvidenceTable({ evidence }: { evidence: Evidence[] }): ReactNode {
  return (
    <DataTable
      label="Checks"
      className="evidence"
      columns={COLUMNS}
      rows={sortByWeight(evidence)}
      getKey={({ check, source }) => `${check} ${source}`}
    />
  );
}
