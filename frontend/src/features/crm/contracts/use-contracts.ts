import type { Contract, Contracts, paths } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { useUrlState } from "../../../lib/url-state";
import { findOption } from "../../adminpanel/select";
import { CONTRACTS } from "../labels";

export const STATUSES = [
  ["running", "Active and expiring"],
  ["active", "Active"],
  ["expiring", "Expiring"],
  ["expired", "Expired"],
  ["cancelled", "Cancelled"],
  ["all", "All contracts"],
] as const;
export const SORTS = [
  ["end", "Ends"],
  ["start", "Starts"],
  ["value", "Value"],
  ["company", "Company"],
] as const;
export const ORDERS = [
  ["asc", "Ascending"],
  ["desc", "Descending"],
] as const;

export type Sort = (typeof SORTS)[number][0];
export type Order = (typeof ORDERS)[number][0];
type Query = NonNullable<paths["/api/admin/contracts"]["get"]["parameters"]["query"]>;

/** Search, filter, order and page of the contracts, in the address. */
export function useContractsView() {
  const [url, update] = useUrlState();
  const page = Number(url.get("contract_page"));
  const first = { contract_page: null };
  return {
    search: url.get("contract_search") ?? "",
    status: findOption(STATUSES, url.get("contract_status"), "running"),
    sort: findOption(SORTS, url.get("contract_sort"), "end"),
    order: findOption(ORDERS, url.get("contract_order"), "asc"),
    page: Number.isInteger(page) && page > 1 ? page : 1,
    setSearch: (contract_search: string) => update({ contract_search, ...first }, "replace"),
    setStatus: (contract_status: string) => update({ contract_status, ...first }),
    setSort: (contract_sort: Sort, contract_order: Order) =>
      update({ contract_sort, contract_order, ...first }),
    setPage: (next: number) => update({ contract_page: next > 1 ? String(next) : null }),
    clear: () => update({ contract_search: null, contract_status: "all", ...first }),
  };
}

export type View = ReturnType<typeof useContractsView>;

export function useContracts(query: Query) {
  return useAdminQuery<Contracts>([...CONTRACTS, query], () =>
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
  return queryClient.invalidateQueries({ queryKey: ["admin", ...CONTRACTS] });
}
