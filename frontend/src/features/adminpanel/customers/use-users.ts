import type { paths, StaffUsers } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";
import { useUrlState } from "../../../lib/url-state";

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
export const SORTS = [
  ["-created_at", "Newest first"],
  ["created_at", "Oldest first"],
  ["name", "Name, A to Z"],
  ["-name", "Name, Z to A"],
  ["-credits", "Most credits"],
  ["credits", "Fewest credits"],
] as const;

type Query = Required<NonNullable<paths["/api/admin/users/authenticated"]["get"]["parameters"]["query"]>>;
export type Plan = (typeof PLANS)[number][0];
export type Sort = (typeof SORTS)[number][0];

export interface View {
  search: string;
  plan: Plan;
  sort: Sort;
  page: number;
  filtered: boolean;
  set: (change: Record<string, string | null>, how?: "push" | "replace") => void;
}

/** Search, filter, order and page of the list, in the address; whatever changes them begins at the first page. */
export function useUsersView(): View {
  const [url, update] = useUrlState();
  const search = url.get("user") ?? "";
  const plan = PLANS.find(([key]) => key === url.get("users_plan"))?.[0] ?? "";
  const sort = SORTS.find(([key]) => key === url.get("users_sort"))?.[0] ?? "-created_at";
  const page = Math.max(1, Math.trunc(Number(url.get("users_page"))) || 1);
  const set: View["set"] = (change, how) => update({ users_page: null, ...change }, how);
  return { search, plan, sort, page, filtered: search !== "" || plan !== "", set };
}

function loadUsers(query: Query): Promise<StaffUsers> {
  return readData(api.GET("/api/admin/users/authenticated", { params: { query } }));
}

export function useUsers({ search, plan, sort, page }: View) {
  const query: Query = { search, plan, sort, page, page_size: PAGE_SIZE };
  return useAdminQuery([...USERS, query], () => loadUsers(query));
}

/** Brings the list, and whoever of it is open, up to date; not an account that is gone. */
export function reloadUsers(gone?: number): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: ["admin", ...USERS],
    predicate: ({ queryKey: [, , part, id] }) => part !== "one" || id !== gone,
  });
}
