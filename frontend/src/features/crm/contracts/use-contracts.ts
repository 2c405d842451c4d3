import type { Contract, Contracts, paths } from "../../../api/types";
import { reloadAdmin, useAdminQuery, useAdminRows } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { buildSorting } from "../../../ui/data-table/sorting";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CONTRACTS } from "../labels";

const STATUSES = [
  ["running", "Active and expiring"],
  ["active", "Active"],
  ["expiring", "Expiring"],
  ["expired", "Expired"],
  ["cancelled", "Cancelled"],
  ["all", "All contracts"],
] as const;
const SORTS = [
  ["end", "Ends"],
  ["start", "Starts"],
  ["value", "Value"],
  ["company", "Company"],
] as const;
const ORDERS = [
  ["asc", "Ascending"],
  ["desc", "Descending"],
] as const;

type Query = NonNullable<paths["/api/admin/contracts"]["get"]["parameters"]["query"]>;

export const PAGE_SIZE = 50;
const FILTERS = {
  contract_search: { label: "Search contracts", hint: "Search by company, plan or quote" },
  contract_status: { label: "Status", options: STATUSES },
  contract_sort: { label: "Sort by", options: SORTS, orders: true },
  contract_order: { label: "Order", options: ORDERS, orders: true },
};

/** Search, filter, order and page of the contracts, in the address. */
export function useContractsView() {
  const view = useTableView(FILTERS, "contract_page");
  const { contract_search, contract_status, contract_sort, contract_order } = view.values;
  const query: Query = {
    search: contract_search,
    status: contract_status === "all" ? "" : contract_status,
    sort: contract_sort,
    order: contract_order,
    page: view.page,
  };
  const sorting = buildSorting({
    key: contract_sort,
    descending: contract_order === "desc",
    onSort: (key, down) => view.set({ contract_sort: key, contract_order: down ? "desc" : "asc" }),
  });
  return { view, query, sorting, showAll: () => view.set({ contract_search: "", contract_status: "all" }) };
}

export function useContracts(query: Query) {
  return useAdminRows<Contracts>([...CONTRACTS, query], () =>
    readData(api.GET("/api/admin/contracts", { params: { query } })),
  );
}

export function useContract(contract_id: number) {
  return useAdminQuery<Contract>([...CONTRACTS, contract_id], async () => {
    const params = { path: { contract_id } };
    return (await readData(api.GET("/api/admin/contracts/{contract_id}", { params }))).contract;
  });
}

export function reloadContracts(): Promise<void> {
  return reloadAdmin(...CONTRACTS);
}
