import { useId, type ReactNode } from "react";

import type { Draft } from "../../../../../api/types";
import { formatCount, formatNumber } from "../../../../../lib/format";
import { formatColumn } from "../reading/columns-step";
import { Term } from "../../../../../ui/term";
import { Counted } from "./counted";
import type { ReviewPartProps } from "./repairs";

/** What the list holds: rows, addresses of each column, and cells that held too many. */
export function Contents({ draft, counting }: Omit<ReviewPartProps, "onChoose">): ReactNode {
  const figures = [
    ["Rows", draft.rows],
    ["Unique addresses", draft.unique],
    [<Term name="duplicate">Duplicates</Term>, draft.duplicates],
    ["Blank", draft.blank],
    [<Term name="impossible_syntax">Impossible syntax</Term>, draft.bad_syntax],
  ] as const;
  return (
    <>
      <dl className="counts" aria-busy={counting}>
        {figures.map(([name, value], index) => (
          <div key={index} className="count tone-unknown">
            <dt>{name}</dt>
            <dd>{counting ? <span className="muted">…</span> : formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <ColumnsFound draft={draft} counting={counting} />
      <OverfullCells draft={draft} />
    </>
  );
}

/** How many addresses each of several columns holds. */
function ColumnsFound({ draft, counting }: Omit<ReviewPartProps, "onChoose">): ReactNode {
  const heading = useId();
  if (draft.columns_found.length < 2) return null;
  return (
    <section className="stack-2" aria-labelledby={heading}>
      <h3 id={heading}>Addresses by column</h3>
      <dl className="facts">
        {draft.columns_found.map((column) => (
          <div key={column.column}>
            <dt className="break">{formatColumn(column)}</dt>
            <dd>
              <Counted busy={counting}>{formatCount(column.addresses, "address", "addresses")}</Counted>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const TAKEN = 50;

/** Cells of which the first addresses were taken alone. */
function OverfullCells({ draft: { overfull, overfull_count } }: { draft: Draft }): ReactNode {
  const more = overfull_count - overfull.length;
  if (overfull_count === 0) return null;
  return (
    <div className="notice" role="status">
      <ul className="nums">
        {overfull.map(({ row, found }, index) => (
          <li key={index}>
            Row {formatNumber(row)} holds {formatNumber(found)} addresses, the first {TAKEN} were taken
          </li>
        ))}
        {more > 0 ? <li>{formatCount(more, "more cell")} as well</li> : null}
      </ul>
    </div>
  );
}
