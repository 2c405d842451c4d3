import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, readData } from "../../../lib/client";
import { useUrlState } from "../../../lib/url-state";
import { readCategory } from "../../../ui/filters";

export const PAGE_SIZE = 50;
export const SORTS = ["row", "email", "category", "confidence"] as const;
export type Sort = (typeof SORTS)[number];

/** `row`, `-row`, …; anything else in the address is the order of the list. */
function readSort(url: URLSearchParams): { sort: Sort; descending: boolean } {
  const value = url.get("sort") ?? "row";
  const descending = value.startsWith("-");
  const sort = SORTS.find((name) => name === value.replace("-", ""));
  return sort ? { sort, descending } : { sort: "row", descending: false };
}

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
  const filters = { search: url.get("search") ?? "", category: readCategory(url), ...readSort(url) };
  const page = Math.max(1, Math.trunc(Number(url.get("page"))) || 1);
  const cursor = url.get("cursor");
  const [seen, storeCursor] = useSeenCursors(Object.values(filters).join("\n"));
  const before = seen[page - 1];
  const restart = (change: Record<string, string | null>, how: "push" | "replace" = "push") =>
    setUrl({ ...change, page: null, cursor: null }, how);
  return {
    ...filters,
    page,
    cursor,
    setSearch: (search: string) => restart({ search }, "replace"),
    setCategory: (category: string | null) => restart({ category }),
    setSort: (sort: string) => restart({ sort: sort === "row" ? null : sort }),
    clear: () => restart({ search: null, category: null }),
    next: (to: string) => {
      storeCursor(page, cursor);
      setUrl({ cursor: to, page: String(page + 1) });
    },
    back: () => setUrl({ cursor: before ?? null, page: before ? String(page - 1) : null }),
    /** Going back ends at the first page when the one before was never seen. */
    backWord: before === undefined ? "First page" : "Previous",
  };
}

export type View = ReturnType<typeof useResultsView>;

export function useResults(batchId: string, view: View) {
  const { search, category, sort, descending, cursor } = view;
  const query = {
    page_size: PAGE_SIZE,
    sort: descending ? (`-${sort}` as const) : sort,
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(cursor ? { cursor } : {}),
  };
  return useQuery({
    queryKey: ["results", batchId, query],
    queryFn: () =>
      readData(
        api.GET("/api/validate/batch/{batch_id}/results", {
          params: { path: { batch_id: batchId }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
