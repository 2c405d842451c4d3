import type { paths } from "../../../api/types";
import { buildSorting } from "../../../ui/data-table/sorting";
import { useTableView } from "../../../ui/data-table/use-table-view";

const SORTS = [
  ["date", "Date"],
  ["credits", "Credits"],
  ["price", "Price"],
] as const;
const ORDERS = [
  ["desc", "Descending"],
  ["asc", "Ascending"],
] as const;
const FILTERS = {
  quote: { label: "Search quotes", hint: "Search by ID, customer, email or company" },
  sort: { label: "Sort by", options: SORTS, orders: true },
  order: { options: ORDERS, hidden: true, label: "Order", orders: true },
};

type Query = Required<NonNullable<paths["/api/admin/quotes"]["get"]["parameters"]["query"]>>;

/** Search, order and page of the table of quotes; newest first is not named in the address. */
export function useRecentView() {
  const view = useTableView(FILTERS);
  const { quote, sort, order } = view.values;
  const query: Query = { search: quote, sort, order, cursor: view.cursor };
  const sorting = buildSorting({
    key: sort,
    descending: order === "desc",
    onSort: (key, down) => view.set({ sort: key, order: down ? "desc" : "asc" }),
  });
  return { view, query, sorting };
}
