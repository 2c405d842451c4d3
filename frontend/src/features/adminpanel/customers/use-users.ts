import type { paths, StaffUsers } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { readSorting } from "../../../ui/data-table/sorting";
import { useTableView } from "../../../ui/data-table/use-table-view";

export const USERS = ["users"] as const;
export const USERS_HEADING = "users-heading";
export const PAGE_SIZE = 50;
export const PLANS = [
  ["", "All"],
  ["free", "Free"],
  ["starter", "Starter"],
  ["growth", "Growth"],
  ["pro", "Pro"],
] as const;
const SORTS = [
  ["-created_at", "Newest first"],
  ["created_at", "Oldest first"],
  ["name", "Name, A to Z"],
  ["-name", "Name, Z to A"],
  ["-credits", "Most credits"],
  ["credits", "Fewest credits"],
] as const;

type Query = Required<NonNullable<paths["/api/admin/users/authenticated"]["get"]["parameters"]["query"]>>;
export type Plan = (typeof PLANS)[number][0];

const FILTERS = {
  user: { label: "Search users", hint: "Name, email or organisation" },
  users_plan: { label: "Plan", options: PLANS },
  users_sort: { label: "Sort by", options: SORTS, orders: true },
};

/** Search, filter, order and page of the list, in the address. */
export function useUsersView() {
  const view = useTableView(FILTERS, "users_page");
  const { user, users_plan, users_sort } = view.values;
  const query: Query = {
    search: user,
    plan: users_plan,
    sort: users_sort,
    page: view.page,
    page_size: PAGE_SIZE,
  };
  return { view, query, sorting: readSorting(users_sort, (value) => view.set({ users_sort: value })) };
}

export function useUsers(query: Query) {
  return useAdminRows<StaffUsers>([...USERS, query], () =>
    readData(api.GET("/api/admin/users/authenticated", { params: { query } })),
  );
}

/** Brings the list, and whoever of it is open, up to date; not an account that is gone. */
export function reloadUsers(gone?: number): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: ["admin", ...USERS],
    predicate: ({ queryKey: [, , part, id] }) => part !== "one" || id !== gone,
  });
}
