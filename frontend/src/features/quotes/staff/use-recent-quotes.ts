import type { paths } from "../../../api/types";
import { useUrlState } from "../../../lib/url-state";

export const SORTS = [
  ["date", "Date"],
  ["credits", "Credits"],
  ["price", "Price"],
] as const;
export type Sort = (typeof SORTS)[number][0];
export type Query = Required<NonNullable<paths["/api/admin/quotes"]["get"]["parameters"]["query"]>>;

export interface View {
  search: string;
  sort: Sort;
  ascending: boolean;
  setSearch: (search: string | null) => void;
  setSort: (sort: Sort, ascending: boolean) => void;
}

function readSort(value: string | null): Sort {
  return SORTS.find(([key]) => key === value)?.[0] ?? "date";
}

/** Search and order of the table, in the address; newest first is not named there. */
export function useRecentView(): View {
  const [url, update] = useUrlState();
  return {
    search: url.get("quote") ?? "",
    sort: readSort(url.get("sort")),
    ascending: url.get("order") === "asc",
    setSearch: (search) => update({ quote: search }, "replace"),
    setSort: (sort, ascending) =>
      update({ sort: sort === "date" ? null : sort, order: ascending ? "asc" : null }),
  };
}

/** What the server is asked for. */
export function buildQuery({ search, sort, ascending }: View, cursor: string): Query {
  return { search, sort, order: ascending ? "asc" : "desc", cursor };
}
