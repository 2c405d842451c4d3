import { useState, type ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { Button } from "../button";

export interface SelectionProps<Row> {
  /** What a row's box is called: "Select chunk 7". */
  getLabel: (row: Row) => string;
  /** What can be done with the rows that are selected. */
  actions: (rows: readonly Row[]) => ReactNode;
}

export interface Selection<Row> {
  /** The selected rows that are still shown. */
  rows: readonly Row[];
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  clear: () => void;
}

/** Which rows are selected; one that is no longer shown is not. */
export function useSelection<Row>(
  shown: readonly Row[],
  getKey: (row: Row, index: number) => string | number,
): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set());
  const keyOf = (row: Row) => getKey(row, shown.indexOf(row));
  const rows = shown.filter((row, index) => keys.has(getKey(row, index)));
  return {
    rows,
    has: (row) => keys.has(keyOf(row)),
    toggle: (row) =>
      setKeys(new Set(shown.filter((one) => keys.has(keyOf(one)) !== (one === row)).map(keyOf))),
    toggleAll: () => setKeys(new Set(rows.length === shown.length ? [] : shown.map(keyOf))),
    clear: () => setKeys(new Set()),
  };
}

interface BoxProps {
  label: string;
  checked: boolean;
  /** Some of what it stands for are selected, and some are not. */
  mixed?: boolean;
  onChange: () => void;
}

/** A box that selects a row, or all of them. */
export function SelectBox({ label, checked, mixed = false, onChange }: BoxProps): ReactNode {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed;
      }}
      onChange={onChange}
    />
  );
}

/** How many rows are selected, and what can be done with them. */
export function BulkBar<Row>(props: {
  selection: Selection<Row>;
  actions: SelectionProps<Row>["actions"];
}): ReactNode {
  const { rows, clear } = props.selection;
  if (rows.length === 0) return null;
  return (
    <div className="bulk-bar" role="group" aria-label="Selected rows">
      <strong className="nums" role="status">
        {formatNumber(rows.length)} selected
      </strong>
      {props.actions(rows)}
      <Button kind="quiet" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
