import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import type { ReactNode } from "react";

import { buildCellClass, buildTitleClass, type Column, type Sorting } from "./columns";

const GLYPHS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

/** A title that sorts when it is pressed; pressed again, the other way. */
function SortTitle({ column, sorting }: { column: Column<never>; sorting: Sorting }): ReactNode {
  const sorted = sorting.key === column.key;
  const order = sorted ? (sorting.descending ? "descending" : "ascending") : "none";
  const Glyph = GLYPHS[order];
  const down = sorted ? !sorting.descending : column.sort === "down";
  return (
    <th scope="col" className={buildTitleClass(column)} title={column.hint} aria-sort={order}>
      <button type="button" onClick={() => sorting.onSort(column.key, down)}>
        {column.title}
        <Glyph size={14} aria-hidden />
      </button>
    </th>
  );
}

interface TableHeadProps {
  columns: readonly Column<never>[];
  sorting?: Sorting | undefined;
  /** A column's key, to mark as the one that concerns the reader. */
  current?: string | undefined;
}

/** The titles of the columns. */
export function TableHead({ columns, sorting, current }: TableHeadProps): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          sorting && column.sort ? (
            <SortTitle key={column.key} column={column} sorting={sorting} />
          ) : (
            <th
              key={column.key}
              scope="col"
              className={column.head ? buildCellClass(column) : buildTitleClass(column)}
              title={column.hint}
              aria-current={column.key === current ? "true" : undefined}
            >
              {column.head ?? <span>{column.title}</span>}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
