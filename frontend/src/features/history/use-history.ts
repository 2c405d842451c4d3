import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { Batch, Category, History, ResultRow } from "../../api/types";
import { api, dataOf } from "../../lib/client";
import { loadActive } from "../../lib/validations";
import { isActive } from "../../lib/words";

export const ACTIVE_POLL_MS = 3_000;

export interface HistoryFilter {
  search: string;
  category: Category | null;
}

interface Cursors {
  batches: string | null;
  individual: string | null;
}

const START: Cursors = { batches: "", individual: "" };

/** The next page of whatever has one; `null` for a part that has come to its end. */
function nextCursors({ batches_next, individual_next }: History): Cursors | undefined {
  if (batches_next === null && individual_next === null) return undefined;
  return { batches: batches_next, individual: individual_next };
}

/** One page of both parts; a part at its end is asked for nothing. */
export async function loadHistory(filter: HistoryFilter, cursors: Cursors): Promise<History> {
  const query = {
    ...(filter.search ? { search: filter.search } : {}),
    ...(filter.category ? { category: filter.category } : {}),
    ...(cursors.batches ? { batches_cursor: cursors.batches } : {}),
    ...(cursors.individual ? { individual_cursor: cursors.individual } : {}),
  };
  const page = await dataOf(api.GET("/api/validate/batches", { params: { query } }));
  return {
    ...page,
    ...(cursors.batches === null ? { batches: [], batches_next: null } : {}),
    ...(cursors.individual === null ? { individual_validations: [], individual_next: null } : {}),
  };
}

/** Every page there is: batches and single validations, newest first. */
export async function loadAll(): Promise<{ batches: Batch[]; individuals: ResultRow[] }> {
  const batches: Batch[] = [];
  const individuals: ResultRow[] = [];
  for (let cursors: Cursors | undefined = START; cursors;) {
    const page: History = await loadHistory({ search: "", category: null }, cursors);
    batches.push(...page.batches);
    individuals.push(...page.individual_validations);
    cursors = nextCursors(page);
  }
  return { batches, individuals };
}

function idsOf(batches: Batch[]): string {
  return batches
    .filter(({ processing_status }) => isActive(processing_status))
    .map(({ id }) => id)
    .sort()
    .join(" ");
}

/** The history page by page; while a batch is on its way, those batches are asked for every three seconds. */
export function useHistory(filter: HistoryFilter) {
  const pages = useInfiniteQuery({
    queryKey: ["history", filter],
    queryFn: ({ pageParam }) => loadHistory(filter, pageParam),
    initialPageParam: START,
    getNextPageParam: nextCursors,
    placeholderData: keepPreviousData,
  });
  const listed = pages.data?.pages.flatMap(({ batches }) => batches) ?? [];
  const waiting = idsOf(listed);
  const live = useQuery({
    queryKey: ["history-active"],
    queryFn: loadActive,
    enabled: waiting !== "",
    refetchInterval: ACTIVE_POLL_MS,
    staleTime: 0,
  });
  const running = live.data ? idsOf(live.data) : waiting;
  const reload = useEffectEvent(() => void pages.refetch());
  useEffect(() => {
    if (waiting !== running) reload();
  }, [waiting, running]);
  const fresh = new Map(live.data?.map((batch) => [batch.id, batch]));
  return {
    pages,
    batches: listed.map((batch) => fresh.get(batch.id) ?? batch),
    individuals: pages.data?.pages.flatMap(({ individual_validations }) => individual_validations) ?? [],
  };
}
