import { useState } from "react";

import { useUrlState } from "../../lib/url-state";
import { getUsual, isFiltered, isOrder, readValues, type Filters, type Values } from "./filters";

/** The cursors of the pages behind the current one; another filter begins anew. */
export function usePages(filter: string): [string[], (cursors: string[]) => void] {
  const [cursors, setCursors] = useState<string[]>([]);
  const [seen, setSeen] = useState(filter);
  if (seen === filter) return [cursors, setCursors];
  setSeen(filter);
  setCursors([]);
  return [[], setCursors];
}

/** Why a list may have no rows. */
export interface Narrowing {
  /** Whether a filter leaves rows out. */
  filtered: boolean;
  clear: () => void;
}

/** A list whose pages are asked for by cursor. */
export interface CursorView {
  cursors: readonly string[];
  setCursors: (cursors: string[]) => void;
}

/**
 * Filters and order of a table, in the address; whatever changes them begins at the first page.
 * @param pageName where the address has the number of the page, of a list whose pages have numbers.
 */
export function useTableView<F extends Filters>(filters: F, pageName = "page") {
  const [url, setUrl] = useUrlState();
  const values: Values<F> = readValues(filters, url);
  const [cursors, setCursors] = usePages(JSON.stringify(values));
  const set = (change: Partial<Record<keyof F & string, string>>, how?: "push" | "replace") => {
    const named = Object.entries<string | undefined>(change).map(([name, value]) => {
      const filter = filters[name];
      return [name, !filter || value === undefined || value === getUsual(filter) ? null : value] as const;
    });
    setUrl({ ...Object.fromEntries(named), [pageName]: null, cursor: null }, how);
  };
  const clear = () => {
    const kept = Object.keys(filters).filter((name) => !(filters[name] && isOrder(filters[name])));
    setUrl({ ...Object.fromEntries(kept.map((name) => [name, null])), [pageName]: null, cursor: null });
  };
  return {
    filters,
    values,
    set,
    filtered: isFiltered(filters, values),
    clear,
    cursors,
    setCursors,
    /** Of the page that is shown. */
    cursor: cursors.at(-1) ?? "",
    page: Math.max(1, Math.trunc(Number(url.get(pageName))) || 1),
    setPage: (page: number) => setUrl({ [pageName]: page > 1 ? String(page) : null }),
  };
}
