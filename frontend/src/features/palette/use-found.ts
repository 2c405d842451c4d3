// What the server finds for what is typed.
import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { api, readData } from "../../lib/client";
import { formatCount } from "../../lib/format";
import { CATEGORY_WORDS, getCategory } from "../../lib/labels";
import { mayDo } from "../../lib/rights";
import { queryClient } from "../../lib/query";
import { useDebounced } from "../../lib/use-debounced";
import { loadHistory } from "../validation/batches/history/calls";
import { getBatchTitle } from "../validation/results/exports";
import { loadTopics, matchTopics } from "./documents";
import type { Entry } from "./entries";

const SHOWN = 5;
const SHORTEST = 2;

async function findHistory(search: string): Promise<Entry[]> {
  const found = await loadHistory({ search, category: null, from: "", to: "", sort: "-created" }, "");
  const lists = found.batches.map((batch): Entry => ({
    kind: "list",
    label: getBatchTitle(batch),
    detail: formatCount(batch.total_emails, "address", "addresses"),
    address: `/dashboard/batch/${batch.batch_id}`,
  }));
  const singles = found.individual_validations.map((row): Entry => ({
    kind: "address",
    label: row.email_checked,
    detail: CATEGORY_WORDS[getCategory(row)],
    address: `/dashboard/result/${row.id}`,
  }));
  return [...lists.slice(0, SHOWN), ...singles.slice(0, SHOWN)];
}

async function findDocuments(search: string): Promise<Entry[]> {
  const topics = await queryClient.query({ queryKey: ["topics"], queryFn: loadTopics, staleTime: Infinity });
  return matchTopics(topics, search).slice(0, SHOWN);
}

async function findUsers(search: string): Promise<Entry[]> {
  const query = { search, page_size: SHOWN };
  const { users } = await readData(api.GET("/api/admin/users/authenticated", { params: { query } }));
  return users.map(({ id, name, email }) => ({
    kind: "user",
    label: name,
    detail: email,
    address: `/admin?tab=users&record=${id}`,
  }));
}

async function findQuotes(search: string): Promise<Entry[]> {
  const { quotes } = await readData(api.GET("/api/admin/quotes", { params: { query: { search } } }));
  return quotes.slice(0, SHOWN).map(({ quote_id, customer_company, customer_name }) => ({
    kind: "quote",
    label: quote_id,
    detail: customer_company ?? customer_name,
    address: `/admin?tab=quotes&quote=${encodeURIComponent(quote_id)}`,
  }));
}

interface Source {
  title: string;
  find: (search: string) => Promise<Entry[]>;
}

const HISTORY: Source = { title: "Your lists and addresses", find: findHistory };
const DOCUMENTS: Source = { title: "Documentation", find: findDocuments };
const USERS: Source = { title: "Users", find: findUsers };
const QUOTES: Source = { title: "Quotes", find: findQuotes };

export interface Found {
  title: string;
  entries: readonly Entry[];
  query: Pick<UseQueryResult, "isError" | "isFetching" | "refetch">;
}

function useSource({ title, find }: Source, search: string, enabled: boolean): Found {
  const wanted = enabled && search.length >= SHORTEST;
  const query = useQuery({
    queryKey: ["palette", title, search],
    queryFn: () => find(search),
    enabled: wanted,
    placeholderData: keepPreviousData,
  });
  return { title, entries: wanted ? (query.data ?? []) : [], query };
}

/** What is found in the account, in the documentation, and by staff among users and quotes; once typing has paused. */
export function useFound(typed: string, isStaff: boolean): { found: Found[]; waiting: boolean } {
  const search = useDebounced(typed.trim());
  const found = [
    useSource(HISTORY, search, mayDo("read")),
    useSource(USERS, search, isStaff),
    useSource(QUOTES, search, isStaff),
    useSource(DOCUMENTS, search, true),
  ];
  const pausing = search !== typed.trim() && typed.trim().length >= SHORTEST;
  return { found, waiting: pausing || found.some(({ query }) => query.isFetching) };
}
