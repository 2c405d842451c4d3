import type { BatchProgress, BatchStatus } from "../../../../api/types";

export const POLL_MS = 2_000;
const COMPLETION_DELAY_MS = 1_000;
/** From this many failed polls in a row on, the time of the last answer is shown. */
export const TROUBLE_AFTER = 3;

const ENDED: readonly BatchStatus[] = ["completed", "failed", "cancelled"];

export function hasEnded(status: BatchStatus): boolean {
  return ENDED.includes(status);
}

interface Watcher {
  load: () => Promise<BatchProgress>;
  onProgress: (progress: BatchProgress) => void;
  /** Told once, a second after the poll that found the batch completed. */
  onCompleted: (progress: BatchProgress) => void;
  /** Told at every failed poll how many have failed in a row. */
  onTrouble: (failures: number, error: unknown) => void;
}

/** Polls a batch every two seconds until it has ended; errors do not stop it. Returns the function that stops it. */
export function watchBatch({ load, onProgress, onCompleted, onTrouble }: Watcher): () => void {
  let stopped = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function accept(progress: BatchProgress): void {
    failures = 0;
    onProgress(progress);
    if (progress.status === "completed") timer = setTimeout(() => onCompleted(progress), COMPLETION_DELAY_MS);
    else if (!hasEnded(progress.status)) timer = setTimeout(poll, POLL_MS);
  }

  function poll(): void {
    load().then(
      (progress) => {
        if (!stopped) accept(progress);
      },
      (error: unknown) => {
        if (stopped) return;
        failures += 1;
        onTrouble(failures, error);
        timer = setTimeout(poll, POLL_MS);
      },
    );
  }

  poll();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
