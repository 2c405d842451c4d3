import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import type { ReactNode } from "react";

import { buildTitleClass, type Column, type Sorting } from "./columns";

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

/** The order as the address writes it in two: what by, and which way. */
export function buildSorting(order: Omit<Sorting, "Title">): Sorting {
  return { ...order, Title: SortTitle };
}

/** The order as the address writes it in one: `email`, or `-email` for the other way. */
export function readSorting(value: string, onSort: (value: string) => void): Sorting {
  const descending = value.startsWith("-");
  return buildSorting({
    key: descending ? value.slice(1) : value,
    descending,
    onSort: (key, down) => onSort(down ? `-${key}` : key),
  });
}
