import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import type { BatchProgress, BatchStatus } from "../../../../api/types";
import { loadProgress } from "../../calls";

export const POLL_MS = 2_000;
const COMPLETION_DELAY_MS = 1_000;
/** From this many failed polls in a row on, the time of the last answer is shown. */
const TROUBLE_AFTER = 3;

const ENDED: readonly BatchStatus[] = ["completed", "failed", "cancelled"];

export function hasEnded(status: BatchStatus): boolean {
  return ENDED.includes(status);
}

interface TrackedBatch {
  progress: BatchProgress | null;
  /** When the last answer came, once too many polls have failed; else null. */
  silentSince: Date | null;
}

async function loadOrWarn(batchId: string): Promise<BatchProgress> {
  try {
    return await loadProgress(batchId);
  } catch (error) {
    console.warn("The batch status could not be read", error);
    throw error;
  }
}

/**
 * Polls a batch every two seconds until it has ended. Errors are only logged, and do not stop it; after three in a row the
 * time of the last answer is given.
 * @param onCompleted told once, a second after the poll that found the batch completed.
 */
export function useBatchProgress(
  batchId: string,
  onCompleted: (progress: BatchProgress) => void,
): TrackedBatch {
  const [begun] = useState(Date.now);
  const { data, dataUpdatedAt, failureCount } = useQuery({
    queryKey: ["progress", batchId],
    queryFn: () => loadOrWarn(batchId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.status) ? false : POLL_MS),
    refetchIntervalInBackground: true,
    retry: true,
    retryDelay: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    networkMode: "always",
  });
  const completed = useEffectEvent(() => (data ? onCompleted(data) : undefined));
  const isCompleted = data?.status === "completed";
  useEffect(() => {
    if (!isCompleted) return;
    const timer = setTimeout(() => completed(), COMPLETION_DELAY_MS);
    return () => clearTimeout(timer);
  }, [batchId, isCompleted]);
  const silentSince = failureCount < TROUBLE_AFTER ? null : new Date(dataUpdatedAt || begun);
  return { progress: data ?? null, silentSince };
}
