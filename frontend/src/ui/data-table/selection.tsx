import { useState, type ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { Button } from "../button";
import type { Column } from "./columns";

interface BoxProps {
  label: string;
  checked: boolean;
  /** Some of what it stands for are selected, and some are not. */
  mixed?: boolean;
  onChange: () => void;
}

/** A box that selects a row, or all of them. */
function SelectBox({ label, checked, mixed = false, onChange }: BoxProps): ReactNode {
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

interface SelectionOptions<Row> {
  /** All rows that are shown. */
  rows: readonly Row[];
  getKey: (row: Row) => string | number;
  /** What a row's box is called: "Select chunk 7". */
  getLabel: (row: Row) => string;
}

interface Selection<Row> {
  /** The rows that are selected and still shown. */
  rows: readonly Row[];
  /** The boxes, as the first column. */
  column: Column<Row>;
  clear: () => void;
}

/** Rows that can be selected, one by one or all at once; one that is no longer shown is not selected. */
export function useSelection<Row>({ rows, getKey, getLabel }: SelectionOptions<Row>): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set());
  const selected = rows.filter((row) => keys.has(getKey(row)));
  const toggle = (row: Row) => {
    const others = selected.filter((one) => one !== row);
    setKeys(new Set((others.length < selected.length ? others : [...others, row]).map(getKey)));
  };
  const all = selected.length === rows.length;
  return {
    rows: selected,
    clear: () => setKeys(new Set()),
    column: {
      key: "selected",
      title: "Selected",
      className: "select",
      labelled: false,
      head: (
        <SelectBox
          label="Select all rows"
          checked={all}
          mixed={selected.length > 0 && !all}
          onChange={() => setKeys(new Set(all ? [] : rows.map(getKey)))}
        />
      ),
      cell: (row) => (
        <SelectBox label={getLabel(row)} checked={keys.has(getKey(row))} onChange={() => toggle(row)} />
      ),
    },
  };
}

interface BulkBarProps {
  selection: { rows: readonly unknown[]; clear: () => void };
  /** What can be done with the rows that are selected. */
  children: ReactNode;
}

/** How many rows are selected, and what can be done with them; nothing while none is. */
export function BulkBar({ selection: { rows, clear }, children }: BulkBarProps): ReactNode {
  if (rows.length === 0) return null;
  return (
    <div className="bulk-bar" role="group" aria-label="Selected rows">
      <strong className="nums grow" role="status">
        {formatNumber(rows.length)} selected
      </strong>
      {children}
      <Button kind="quiet" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
