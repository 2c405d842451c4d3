import { useId, useState, type ReactNode } from "react";

import type { RepairRow } from "../../../../../api/types";
import { formatCount, formatNumber } from "../../../../../lib/format";
import { Button } from "../../../../../ui/button";
import { actionsColumn, textColumn, type Column } from "../../../../../ui/data-table/columns";
import { isUsed, toggleSuggestion } from "./repair-choices";
import { formatPlace, type ReviewPartProps } from "./repairs";
import { RepairsTable } from "./repairs-table";

const FEW = 10;

function buildColumns({ draft, onChoose }: ReviewPartProps): Column<RepairRow>[] {
  return [
    textColumn("row", "Row", (row) => formatPlace(draft, row), { className: "nowrap" }),
    textColumn("suggestion", "Suggestion", ({ source, addresses }) => (
      <span className="mono break">
        {source} → {addresses.join(", ")}
      </span>
    )),
    textColumn("checked", "Checked", ({ row }) => (isUsed(draft, row) ? "The suggestion" : "As it stands")),
    actionsColumn(({ row }) => (
      <Button
        kind="quiet"
        aria-label={`${isUsed(draft, row) ? "Undo" : "Use"} row ${formatNumber(row)}`}
        onClick={() => onChoose(toggleSuggestion(draft, row))}
      >
        {isUsed(draft, row) ? "Undo" : "Use"}
      </Button>
    )),
  ];
}

/** Uses all, or none; rows whose suggestion was undone are among them again. */
function chooseAllOrNone({ draft, counting, onChoose }: ReviewPartProps) {
  const all = counting ? draft.use_suggestions : draft.suggestions_count === 0;
  const toggle = () => onChoose({ use_suggestions: !all, suggestion_rows: [], undo_suggestions: [] });
  return { all, toggle };
}

/** Domains that were probably mistyped; nothing is used that was not chosen. */
export function Suggestions(props: ReviewPartProps): ReactNode {
  const { draft } = props;
  const heading = useId();
  const count = draft.suggestions_count + draft.suggestions_used;
  const [open, setOpen] = useState(count <= FEW);
  const { all, toggle } = chooseAllOrNone(props);
  if (count === 0) return null;
  return (
    <section className="stack-2" aria-labelledby={heading}>
      <div className="row row-between">
        <h3 id={heading} className="nums">
          {formatCount(count, "likely typing error")}
        </h3>
        <Button onClick={toggle}>{all ? "Undo all" : "Use all"}</Button>
      </div>
      <p className="hint">Each is checked as it stands unless you use what was probably meant.</p>
      <details className="technical" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{open ? "Hide them" : "Show them"}</summary>
        {open ? (
          <RepairsTable
            draft={draft}
            kind="typing"
            label="Likely typing errors"
            columns={buildColumns(props)}
          />
        ) : null}
      </details>
    </section>
  );
}
