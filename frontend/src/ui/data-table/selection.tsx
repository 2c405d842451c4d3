import { useState, type ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { Button } from "../button";
import type { Column } from "./columns";

interface BoxProps {
  label: string;
  checked: boolean;
  /** Some of what it stands for are selected, and some are not. */
  mixed?: boolean;
  /** @param upTo whether everything between is meant, too: it was pressed with Shift. */
  onChange: (upTo: boolean) => void;
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
      onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
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

export interface Selection<Row> {
  /** The rows that are selected and still shown. */
  rows: readonly Row[];
  /** The boxes, as the first column. */
  column: Column<Row>;
  isSelected: (row: Row) => boolean;
  /** Whether every row that is shown is selected. */
  all: boolean;
  /** How many rows are shown. */
  shown: number;
  selectAll: () => void;
  clear: () => void;
}

/** The rows from one to another, in either direction. */
function takeRange<Row>(rows: readonly Row[], from: number, to: number): readonly Row[] {
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/**
 * Rows that can be selected: one by one, with Shift from the last one on, or all at once. One that is no longer shown is
 * not selected.
 */
export function useSelection<Row>({ rows, getKey, getLabel }: SelectionOptions<Row>): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<string | number>>(new Set());
  const [last, setLast] = useState<string | number | null>(null);
  const isSelected = (row: Row) => keys.has(getKey(row));
  const selected = rows.filter(isSelected);
  const select = (chosen: readonly Row[]) => setKeys(new Set(chosen.map(getKey)));
  const toggle = (row: Row, upTo: boolean) => {
    const from = upTo ? rows.findIndex((one) => getKey(one) === last) : -1;
    const meant = from === -1 ? [row] : takeRange(rows, from, rows.indexOf(row));
    const others = selected.filter((one) => !meant.includes(one));
    select(isSelected(row) ? others : [...others, ...meant]);
    setLast(getKey(row));
  };
  const all = rows.length > 0 && selected.length === rows.length;
  const selectAll = () => select(rows);
  const clear = () => select([]);
  return {
    rows: selected,
    isSelected,
    all,
    shown: rows.length,
    selectAll,
    clear,
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
          onChange={all ? clear : selectAll}
        />
      ),
      cell: (row) => (
        <SelectBox label={getLabel(row)} checked={isSelected(row)} onChange={(upTo) => toggle(row, upTo)} />
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
