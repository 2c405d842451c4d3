import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import type { Batch } from "../../../../api/types";
import { loadHistory, type HistoryFilter, type HistoryPart } from "./calls";
import { queryClient } from "../../../../lib/query";
import { loadActive, refreshCredits } from "../../calls";
import { isActiveStatus } from "../../../../lib/labels";

const ACTIVE_POLL_MS = 3_000;
const SHARED_MS = 1_000;

function joinIds(batches: Batch[]): string {
  return batches
    .filter(({ status: processing_status }) => isActiveStatus(processing_status))
    .map(({ batch_id: id }) => id)
    .sort()
    .join(" ");
}

/** The pages of one part; both parts share the call for the first page. */
function useHistoryPart(filter: HistoryFilter, next: HistoryPart) {
  return useInfiniteQuery({
    queryKey: ["history", filter, next],
    queryFn: ({ pageParam }) =>
      pageParam === ""
        ? queryClient.query({
            queryKey: ["history-first", filter],
            queryFn: () => loadHistory(filter, ""),
            staleTime: SHARED_MS,
            retry: false,
          })
        : loadHistory(filter, pageParam),
    initialPageParam: "",
    getNextPageParam: (page) => page[next],
    placeholderData: keepPreviousData,
  });
}

/** The lists, those on their way as they are now; as long as there are such, they are asked for every three seconds. */
function useLiveBatches(listed: Batch[], onEnded: () => void): Batch[] {
  const waiting = joinIds(listed);
  const live = useQuery({
    queryKey: ["history-active"],
    queryFn: loadActive,
    enabled: waiting !== "",
    refetchInterval: ACTIVE_POLL_MS,
    staleTime: 0,
  });
  const running = live.data ? joinIds(live.data) : waiting;
  const ended = useEffectEvent(onEnded);
  useEffect(() => {
    if (waiting !== running) ended();
  }, [waiting, running]);
  // One that has ended stays as it was last seen until the list is read again: what was listed before is older still.
  const [seen, setSeen] = useState({ data: live.data, last: new Map<string, Batch>() });
  if (live.data && seen.data !== live.data) {
    const last = new Map([...seen.last, ...live.data.map((batch) => [batch.batch_id, batch] as const)]);
    setSeen({ data: live.data, last });
  }
  return listed.map((batch) =>
    isActiveStatus(batch.status) ? (seen.last.get(batch.batch_id) ?? batch) : batch,
  );
}

/** The history page by page, each part by itself. */
export function useHistory(filter: HistoryFilter) {
  const lists = useHistoryPart(filter, "batches_next");
  const singles = useHistoryPart(filter, "individual_next");
  const listed = lists.data?.pages.flatMap(({ batches }) => batches) ?? [];
  const batches = useLiveBatches(listed, () => {
    void lists.refetch();
    refreshCredits();
  });
  /** Both parts, for what is shown of a failure. */
  const query = {
    data: lists.data,
    dataUpdatedAt: Math.min(lists.dataUpdatedAt, singles.dataUpdatedAt),
    error: lists.error ?? singles.error,
    isFetching: lists.isFetching || singles.isFetching,
    isFetchNextPageError: lists.isFetchNextPageError || singles.isFetchNextPageError,
    refetch: () => [lists.refetch(), singles.refetch()],
  };
  const individuals = singles.data?.pages.flatMap((page) => page.individual_validations) ?? [];
  return { lists, singles, query, batches, individuals };
}
