import type { StaffQuote } from "../../../api/types";
import { useUrlState } from "../../../lib/url-state";

export const SORTS = [
  ["date", "Date"],
  ["credits", "Credits"],
  ["price", "Price"],
] as const;
export type Sort = (typeof SORTS)[number][0];

const VALUES: Record<Sort, (quote: StaffQuote) => number> = {
  date: ({ created_at }) => Date.parse(created_at),
  credits: ({ credits_needed }) => credits_needed,
  price: ({ annual_price }) => annual_price,
};

export interface View {
  search: string;
  sort: Sort;
  ascending: boolean;
  setSearch: (search: string | null) => void;
  setSort: (sort: Sort, ascending: boolean) => void;
}

function sortOf(value: string | null): Sort {
  return SORTS.find(([key]) => key === value)?.[0] ?? "date";
}

/** Search and order of the table, in the address; newest first is not named there. */
export function useView(): View {
  const [url, update] = useUrlState();
  return {
    search: url.get("quote") ?? "",
    sort: sortOf(url.get("sort")),
    ascending: url.get("order") === "asc",
    setSearch: (search) => update({ quote: search }, "replace"),
    setSort: (sort, ascending) =>
      update({ sort: sort === "date" ? null : sort, order: ascending ? "asc" : null }),
  };
}

function matches(quote: StaffQuote, search: string): boolean {
  const { id, quote_id, customer_name, customer_email, customer_company } = quote;
  const texts = [String(id), quote_id, customer_name, customer_email, customer_company ?? ""];
  return texts.some((text) => text.toLowerCase().includes(search));
}

/** The quotes that the search finds, in the order of the view. */
export function arranged(quotes: readonly StaffQuote[], { search, sort, ascending }: View): StaffQuote[] {
  const wanted = search.trim().toLowerCase();
  const value = VALUES[sort];
  const found = quotes.filter((quote) => matches(quote, wanted));
  return found.sort((one, other) => (value(one) - value(other) || one.id - other.id) * (ascending ? 1 : -1));
}
