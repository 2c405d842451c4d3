import type { ResultsPage } from "../../../../api/types";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, readData } from "../../../../lib/client";
import { useUrlState, type Change } from "../../../../lib/url-state";
import { readSorting } from "../../../../ui/data-table/sorting";
import { useTableView } from "../../../../ui/data-table/use-table-view";
import { CATEGORY_FILTER, DECISION_FILTER } from "../../../../ui/filters";

export const PAGE_SIZE = 50;
/** On phones the titles of the columns are gone, and the choice of these stands for them. */
const SORTS = [
  ["row", "Order of the list ↑"],
  ["-row", "Order of the list ↓"],
  ["email", "Address ↑"],
  ["-email", "Address ↓"],
  ["category", "Verdict ↑"],
  ["-category", "Verdict ↓"],
  ["confidence", "Confidence ↑"],
  ["-confidence", "Confidence ↓"],
] as const;
const FILTERS = {
  search: { label: "Search addresses", hint: "Start of an address, or @domain" },
  category: CATEGORY_FILTER,
  decision: DECISION_FILTER,
  sort: { label: "Sort by", options: SORTS, orders: true, onlyNarrow: true },
};

/** Cursors only point forwards: those of the pages that were left by `Next`, by page, as long as the filters stay. */
function useSeenCursors(filters: string) {
  const [seen, setSeen] = useState<{ filters: string; cursors: Partial<Record<number, string | null>> }>({
    filters,
    cursors: {},
  });
  const cursors = seen.filters === filters ? seen.cursors : {};
  const storeCursor = (page: number, cursor: string | null) =>
    setSeen({ filters, cursors: { ...cursors, [page]: cursor } });
  return [cursors, storeCursor] as const;
}

/** Search, filter, order and page of the explorer; all of it is in the address. */
export function useResultsView() {
  const [url, setUrl] = useUrlState();
  const { filters, values, set, filtered, clear, page } = useTableView(FILTERS);
  const cursor = url.get("cursor");
  const [seen, storeCursor] = useSeenCursors(Object.values(values).join("\n"));
  const before = seen[page - 1];
  const goBack = (also: Change = {}) =>
    setUrl({ cursor: before ?? null, page: before ? String(page - 1) : null, ...also });
  return {
    filters,
    values,
    set,
    filtered,
    clear,
    page,
    cursor,
    sorting: readSorting(values.sort, (sort) => set({ sort })),
    /** @param also what else changes in the address. */
    goOn: (to: string, also: Change = {}) => {
      storeCursor(page, cursor);
      setUrl({ cursor: to, page: String(page + 1), ...also });
    },
    back: cursor === null ? null : () => goBack(),
    /** Going back ends at the first page when the one before was never seen. */
    backWord: cursor !== null && before === undefined ? "First page" : "Previous",
    /** To the page right before this one; null where there is none, or none that was seen. */
    turnBack: cursor === null || before === undefined ? null : goBack,
  };
}

export type View = ReturnType<typeof useResultsView>;

export function useResults(batchId: string, view: View) {
  const { values, cursor } = view;
  const { search, category, decision, sort } = values;
  const query = {
    limit: PAGE_SIZE,
    sort,
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(decision ? { decision } : {}),
    ...(cursor ? { cursor } : {}),
  };
  return useQuery({
    queryKey: ["results", batchId, query],
    queryFn: (): Promise<ResultsPage> =>
      readData(
        api.GET("/api/validate/batch/{batch_id}/results", {
          params: { path: { batch_id: batchId }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
