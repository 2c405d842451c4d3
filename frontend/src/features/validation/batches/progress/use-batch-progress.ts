import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import type { BatchProgress } from "../../../../api/types";
import { getProgressKey, loadProgress } from "../../calls";
import { hasEnded } from "./list-stage";

export const POLL_MS = 2_000;
const COMPLETION_DELAY_MS = 1_000;
/** From this many failed polls in a row on, the time of the last answer is shown. */
const TROUBLE_AFTER = 3;

interface TrackedBatch {
  /** What the server said last. */
  answer: BatchProgress | null;
  /** When it did, in milliseconds. */
  answeredAt: number;
  /** When the last answer came, once too many polls have failed; else null. */
  silentSince: Date | null;
  /** Tells of the completion at once, if there is one that was not told of yet. */
  completeNow: () => void;
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
  const told = useRef(false);
  const { data, dataUpdatedAt, failureCount } = useQuery({
    queryKey: getProgressKey(batchId),
    queryFn: () => loadOrWarn(batchId),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.status) ? false : POLL_MS),
    refetchIntervalInBackground: true,
    retry: true,
    retryDelay: POLL_MS,
    staleTime: 0,
    gcTime: 0,
    networkMode: "always",
  });
  const isCompleted = data?.status === "completed";
  const completeNow = () => {
    if (!isCompleted || told.current) return;
    told.current = true;
    onCompleted(data);
  };
  const completed = useEffectEvent(completeNow);
  useEffect(() => {
    if (!isCompleted) return;
    const timer = setTimeout(() => completed(), COMPLETION_DELAY_MS);
    return () => clearTimeout(timer);
  }, [batchId, isCompleted]);
  const silentSince = failureCount < TROUBLE_AFTER ? null : new Date(dataUpdatedAt || begun);
  return { answer: data ?? null, answeredAt: dataUpdatedAt, silentSince, completeNow };
}
