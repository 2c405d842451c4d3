import { useId, useState, type ReactNode } from "react";

import type { Draft, DraftChoices, RepairKind, RepairRow } from "../../../../../api/types";
import { formatCount, formatNumber } from "../../../../../lib/format";
import { Button } from "../../../../../ui/button";
import { Checkbox } from "../../../../../ui/checkbox";
import { actionsColumn, textColumn, type Column } from "../../../../../ui/data-table/columns";
import { Counted } from "./counted";
import { hasUndoneKind, isRepaired, toggleKind, toggleRow } from "./repair-choices";
import { formatKind, SourceText } from "./repair-words";
import { RepairsTable } from "./repairs-table";

export interface ReviewPartProps {
  draft: Draft;
  /** Whether the last choice is still being counted. */
  counting: boolean;
  onChoose: (choices: DraftChoices) => void;
}

/** So many are shown unfolded. */
const FEW = 10;
const SHOWN_OF_CELL = 4;

/** 12, or 12 · C where several columns are checked. */
export function formatPlace(draft: Draft, { row, column }: RepairRow): string {
  const found = draft.columns_found.find((one) => one.column === column);
  const several = draft.columns_found.length > 1;
  return several && found ? `${formatNumber(row)} · ${found.letter}` : formatNumber(row);
}

function Addresses({ addresses }: { addresses: readonly string[] }): ReactNode {
  const more = addresses.length - SHOWN_OF_CELL;
  return (
    <ul className="mono break">
      {addresses.slice(0, SHOWN_OF_CELL).map((address, index) => (
        <li key={index}>{address}</li>
      ))}
      {more > 0 ? <li className="muted">and {formatNumber(more)} more</li> : null}
    </ul>
  );
}

function buildColumns({ draft, onChoose }: ReviewPartProps): Column<RepairRow>[] {
  return [
    textColumn("row", "Row", (row) => formatPlace(draft, row), { className: "nowrap" }),
    textColumn("source", "Source", ({ source }) => (
      <span className="mono break review-source" title={source}>
        <SourceText text={source} />
      </span>
    )),
    textColumn("result", "Result", (row) =>
      isRepaired(draft, row) ? (
        <Addresses addresses={row.addresses} />
      ) : (
        <span className="muted">Judged as it stands</span>
      ),
    ),
    textColumn("kind", "Kind", ({ kinds }) => kinds.map(formatKind).join(", ")),
    actionsColumn((row) =>
      hasUndoneKind(draft, row.kinds) ? null : (
        <Button
          kind="quiet"
          aria-label={`${isRepaired(draft, row) ? "Undo" : "Redo"} row ${formatPlace(draft, row)}`}
          onClick={() => onChoose({ undo_repairs: toggleRow(draft.undo_repairs, row.row) })}
        >
          {isRepaired(draft, row) ? "Undo" : "Redo"}
        </Button>
      ),
    ),
  ];
}

interface KindProps extends ReviewPartProps {
  kind: RepairKind;
  count: number;
  undone: number;
  startsOpen: boolean;
}

/** One kind of repair: how many there are, and at a press which. */
function KindOfRepair(props: KindProps): ReactNode {
  const { draft, kind, count, undone, startsOpen, counting, onChoose } = props;
  const [open, setOpen] = useState(startsOpen);
  const words = formatKind(kind);
  const isUndone = draft.undo_kinds.includes(kind);
  return (
    <details className="technical" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>
          {words} <span className="muted nums">{formatNumber(count + undone)}</span>
        </span>
      </summary>
      {open ? (
        <div className="stack-2">
          <div className="row">
            <Button
              aria-label={`${isUndone ? "Redo" : "Undo"} all of the kind ${words}`}
              onClick={() => onChoose(toggleKind(draft, kind))}
            >
              {isUndone ? "Redo" : "Undo"} this kind
            </Button>
            {undone > 0 && !counting ? (
              <span className="muted small nums">{formatNumber(undone)} undone</span>
            ) : null}
          </div>
          <RepairsTable draft={draft} kind={kind} label={words} columns={buildColumns(props)} />
        </div>
      ) : null}
    </details>
  );
}

/** What was taken out of longer text, by kind; each can be undone. */
export function Repairs(props: ReviewPartProps): ReactNode {
  const { draft, counting, onChoose } = props;
  const heading = useId();
  const kinds = draft.repair_kinds.filter(({ kind }) => kind !== "typing");
  const [few] = useState(kinds.length === 1 && (kinds[0]?.count ?? 0) <= FEW);
  if (kinds.length === 0) return null;
  const all = counting
    ? draft.undo_repairs.length === 0 && draft.undo_kinds.length === 0
    : kinds.every(({ undone }) => undone === 0);
  const every = kinds.map(({ kind }) => kind);
  return (
    <section className="stack-2" aria-labelledby={heading}>
      <div className="row row-between">
        <h3 id={heading} className="nums">
          <Counted busy={counting}>
            {formatCount(draft.repaired_count, "address", "addresses")} repaired
          </Counted>
        </h3>
        <Checkbox
          label="Accept all"
          checked={all}
          onChange={(accepted) => onChoose({ undo_repairs: [], undo_kinds: accepted ? [] : every })}
        />
      </div>
      <p className="hint">
        These were taken out of what stood around them. What is undone is judged as it stands.
        {draft.header_row > 0 ? " Rows are counted below the header." : ""}
      </p>
      <div>
        {kinds.map((found) => (
          <KindOfRepair key={found.kind} {...props} {...found} startsOpen={few} />
        ))}
      </div>
    </section>
  );
}
