import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { api, dataOf } from "../../lib/client";
import { useUrlState } from "../../lib/url-state";
import { categoryOf } from "../../ui/filters";

export const PAGE_SIZE = 50;
export const SORTS = ["row", "email", "category", "confidence"] as const;
export type Sort = (typeof SORTS)[number];

/** `row`, `-row`, …; anything else in the address is the order of the list. */
function sortOf(url: URLSearchParams): { sort: Sort; descending: boolean } {
  const value = url.get("sort") ?? "row";
  const descending = value.startsWith("-");
  const sort = SORTS.find((name) => name === value.replace("-", ""));
  return sort ? { sort, descending } : { sort: "row", descending: false };
}

/** Search, filter, order and page of the explorer; all of it is in the address. */
export function useView() {
  const [url, setUrl] = useUrlState();
  // Cursors only point forwards: the pages seen before this one are remembered for going back.
  const [trail, setTrail] = useState<(string | null)[]>([]);
  const page = Math.max(1, Number(url.get("page") ?? "1") || 1);
  const restart = (change: Record<string, string | null>, how: "push" | "replace" = "push") => {
    setTrail([]);
    setUrl({ ...change, page: null, cursor: null }, how);
  };
  const cursor = url.get("cursor");
  return {
    search: url.get("search") ?? "",
    category: categoryOf(url),
    ...sortOf(url),
    page,
    cursor,
    setSearch: (search: string) => restart({ search }, "replace"),
    setCategory: (category: string | null) => restart({ category }),
    setSort: (sort: string) => restart({ sort: sort === "row" ? null : sort }),
    clear: () => restart({ search: null, category: null }),
    next: (to: string) => {
      setTrail([...trail, cursor]);
      setUrl({ cursor: to, page: String(page + 1) });
    },
    back: () => {
      const before = trail.at(-1) ?? null;
      setTrail(trail.slice(0, -1));
      setUrl({ cursor: before, page: before === null ? null : String(page - 1) });
    },
    /** Going back ends at the first page when the pages between were never seen. */
    backWord: trail.length > 0 ? "Previous" : "First page",
  };
}

export type View = ReturnType<typeof useView>;

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
      dataOf(
        api.GET("/api/validate/batch/{batch_id}/results", {
          params: { path: { batch_id: batchId }, query },
        }),
      ),
    placeholderData: keepPreviousData,
  });
}
