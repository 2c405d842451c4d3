// The validation calls, one function each.
import type {
  Batch,
  BatchCancelled,
  BatchDetail,
  BatchKept,
  BatchProgress,
  KeptDays,
  ListAnswer,
  Message,
  Reach,
  Result,
  ResultsPage,
} from "../../api/types";
import { api, readData, withIdempotencyKey } from "../../lib/client";
import { formatCount } from "../../lib/format";
import { OVERVIEW } from "./analytics/use-overview";
import { queryClient } from "../../lib/query";

/** Checks an address, which is taken out of what stands around it. */
export function validateSingle(email: string): Promise<Result> {
  const body = { email, repair: true };
  return readData(api.POST("/api/validate/single", { body, ...withIdempotencyKey() }));
}

interface ChosenAddresses {
  emails: string[];
  /** Nobody but us sees the addresses; otherwise it is as the account says. */
  inHouse: boolean;
}

export function validateBulk({ emails, inHouse }: ChosenAddresses): Promise<ListAnswer> {
  const providers = inHouse ? { use_providers: false } : {};
  const body = { emails, repair: false, use_suggestions: false, reuse_days: 0, ...providers };
  return readData(api.POST("/api/validate/bulk", { body, ...withIdempotencyKey() }));
}

export function loadProgress(batchId: string): Promise<BatchProgress> {
  return readData(
    api.GET("/api/validate/batch/{batch_id}/status", { params: { path: { batch_id: batchId } } }),
  );
}

/** What a page may have at most. */
const MOST_ROWS = 1000;

export const getProgressKey = (batchId: string) => ["progress", batchId];

/** A list with its first results, at most 1,000. */
export function loadBatch(batchId: string, limit: number): Promise<BatchDetail> {
  return readData(
    api.GET("/api/validate/batch/{batch_id}", { params: { path: { batch_id: batchId }, query: { limit } } }),
  );
}

/** A page of the results of a list, in its order; the first one without a cursor. */
export function loadResultsPage(batchId: string, cursor: string): Promise<ResultsPage> {
  const query = { limit: MOST_ROWS, cursor };
  return readData(
    api.GET("/api/validate/batch/{batch_id}/results", { params: { path: { batch_id: batchId }, query } }),
  );
}

/** The page that says what to do with a list that has ended. */
export function getNextSteps(batchId: string): string {
  return `/dashboard/batch/${batchId}/next-steps`;
}

export function loadReach(batchId: string): Promise<Reach> {
  return readData(
    api.GET("/api/validate/batch/{batch_id}/reach", { params: { path: { batch_id: batchId } } }),
  );
}

export function loadResult(id: string): Promise<Result> {
  return readData(api.GET("/api/validate/result/{result_id}", { params: { path: { result_id: id } } }));
}

export function deleteResult(id: string): Promise<Message> {
  return readData(api.DELETE("/api/validate/result/{result_id}", { params: { path: { result_id: id } } }));
}

/** After single validations were deleted: the history is read again. */
export function refreshHistory(): void {
  void queryClient.invalidateQueries({ queryKey: ["history-first"], refetchType: "none" });
  void queryClient.invalidateQueries({ queryKey: ["history"] });
}

/** The batches that are queued or processing, newest first. */
export async function loadActive(): Promise<Batch[]> {
  const history = await readData(api.GET("/api/validate/batches", { params: { query: { active: true } } }));
  return history.batches;
}

export const RECENT_LISTS = ["recent-lists"];

/** The lists of the account, newest first; the first page of them. */
export async function loadNewestLists(): Promise<Batch[]> {
  const history = await readData(
    api.GET("/api/validate/batches", { params: { query: { sort: "-created" } } }),
  );
  return history.batches;
}

/** After work was done or credits were spent: the figures and lists of the page are read again. */
export function refreshCredits(): void {
  void queryClient.invalidateQueries({ queryKey: ["credits"] });
  void queryClient.invalidateQueries({ queryKey: RECENT_LISTS });
  void queryClient.invalidateQueries({ queryKey: OVERVIEW });
}

const buildPath = (batchId: string) => ({ params: { path: { batch_id: batchId } } });

export function cancelBatch(batchId: string): Promise<BatchCancelled> {
  return readData(
    api.POST("/api/validate/batch/{batch_id}/cancel", { ...buildPath(batchId), ...withIdempotencyKey() }),
  );
}

export function resumeBatch(batchId: string): Promise<Message> {
  return readData(
    api.POST("/api/validate/batch/{batch_id}/resume", { ...buildPath(batchId), ...withIdempotencyKey() }),
  );
}

export function recheckBatch(batchId: string): Promise<Message> {
  return readData(
    api.POST("/api/validate/batch/{batch_id}/recheck", { ...buildPath(batchId), ...withIdempotencyKey() }),
  );
}

export function checkInFull(batchId: string): Promise<Message> {
  return readData(
    api.POST("/api/validate/batch/{batch_id}/check-in-full", {
      ...buildPath(batchId),
      ...withIdempotencyKey(),
    }),
  );
}

/** @param maxCredits where the credits do not suffice for all that was left out. */
export function checkRest(batchId: string, maxCredits: number | null): Promise<Message> {
  return readData(
    api.POST("/api/validate/batch/{batch_id}/rest", {
      ...buildPath(batchId),
      ...withIdempotencyKey(),
      body: { max_credits: maxCredits },
    }),
  );
}

export function deleteBatch(batchId: string): Promise<Message> {
  return readData(api.DELETE("/api/validate/batch/{batch_id}", buildPath(batchId)));
}

/** After a batch was stopped, resumed or taken up again: what the page shows of it is read again. */
export function refreshBatch(batchId: string): void {
  void queryClient.invalidateQueries({ queryKey: ["batch", batchId] });
  void queryClient.invalidateQueries({ queryKey: getProgressKey(batchId) });
  void queryClient.invalidateQueries({ queryKey: ["results", batchId] });
  refreshCredits();
}

const KEPT_DAYS: readonly KeptDays[] = [1, 7, 30, 90, 365];
export type DaysKey = `${KeptDays}`;
/** How long something can be kept. */
export const KEPT_DAYS_OPTIONS = KEPT_DAYS.map((days): readonly [DaysKey, string] => [
  `${days}`,
  formatCount(days, "day"),
]);

export function parseKeptDays(days: DaysKey): KeptDays {
  return Number(days) as KeptDays;
}

export function changeBatch(
  batchId: string,
  body: { name?: string; retention_days?: KeptDays; private?: boolean },
): Promise<BatchKept> {
  return readData(api.PUT("/api/validate/batch/{batch_id}", { ...buildPath(batchId), body }));
}
