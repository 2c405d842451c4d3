// The calls for the history, page by page.
import type { Batch, Category, History, ResultRow } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";

export const SORTS = [
  ["-created", "Newest first"],
  ["created", "Oldest first"],
  ["name", "Name, A to Z"],
  ["-name", "Name, Z to A"],
] as const;
type Sort = (typeof SORTS)[number][0];

export interface HistoryFilter {
  search: string;
  category: Category | null;
  /** The first and the last day, YYYY-MM-DD in UTC; empty for no bound. */
  from: string;
  to: string;
  sort: Sort;
}

const EVERYTHING: HistoryFilter = { search: "", category: null, from: "", to: "", sort: "-created" };

/** @param cursor where a part of the history goes on; empty for the first page of each. */
export function loadHistory(filter: HistoryFilter, cursor: string): Promise<History> {
  const { search, category, from, to, sort } = filter;
  const query = {
    sort,
    ...(search ? { search } : {}),
    ...(category ? { category } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(cursor ? { cursor } : {}),
  };
  return readData(api.GET("/api/validate/batches", { params: { query } }));
}

export type HistoryPart = "batches_next" | "individual_next";

/** Every page of a part. */
async function loadAllPages(next: HistoryPart, filter: HistoryFilter): Promise<History[]> {
  const pages = [await loadHistory(filter, "")];
  for (let cursor = pages[0]?.[next]; cursor;) {
    const page: History = await loadHistory(filter, cursor);
    pages.push(page);
    cursor = page[next];
  }
  return pages;
}

/** Every list there is, newest first. */
export async function loadAllBatches(): Promise<Batch[]> {
  return (await loadAllPages("batches_next", EVERYTHING)).flatMap(({ batches }) => batches);
}

/** Every single validation there is, newest first; of one category, if it is named. */
export async function loadAllIndividuals(category: Category | null = null): Promise<ResultRow[]> {
  const pages = await loadAllPages("individual_next", { ...EVERYTHING, category });
  return pages.flatMap(({ individual_validations }) => individual_validations);
}
