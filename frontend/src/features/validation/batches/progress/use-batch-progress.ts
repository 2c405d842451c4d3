import { useEffect, useEffectEvent, useState } from "react";

import type { BatchProgress } from "../../../../api/types";
import { loadProgress } from "../../calls";
import { TROUBLE_AFTER, watchBatch } from "./watch-batch";

interface TrackedBatch {
  progress: BatchProgress | null;
  /** When the last answer came, once too many polls have failed; else null. */
  silentSince: Date | null;
}

/** Follows a batch to its end. Errors are only logged; after three in a row the time of the last answer is given. */
export function useBatchProgress(
  batchId: string,
  onCompleted: (progress: BatchProgress) => void,
): TrackedBatch {
  const [progress, setProgress] = useState<BatchProgress | null>(null);
  const [silentSince, setSilentSince] = useState<Date | null>(null);
  const completed = useEffectEvent(onCompleted);
  useEffect(() => {
    let lastAnswer = new Date();
    return watchBatch({
      load: () => loadProgress(batchId),
      onProgress: (answer) => {
        lastAnswer = new Date();
        setSilentSince(null);
        setProgress(answer);
      },
      onCompleted: (answer) => completed(answer),
      onTrouble: (failures, error) => {
        console.warn("The batch status could not be read", error);
        if (failures >= TROUBLE_AFTER) setSilentSince(lastAnswer);
      },
    });
  }, [batchId]);
  return { progress, silentSince };
}
