// The validation calls, one function each.
import type { Batch, BatchDetail, BatchProgress, ListAnswer, Result } from "../api/types";
import { api, dataOf, idempotencyKey } from "./client";
import { OVERVIEW } from "./overview";
import { queryClient } from "./query";

/** Every call that costs credits carries a key, so that a repeated one is not charged again. */
function oncePerPress(): { headers: Record<string, string> } {
  return { headers: { "Idempotency-Key": idempotencyKey() } };
}

export function validateSingle(email: string): Promise<Result> {
  return dataOf(api.POST("/api/validate/single", { body: { email }, ...oncePerPress() }));
}

export function validateBulk(emails: string[]): Promise<ListAnswer> {
  return dataOf(api.POST("/api/validate/bulk", { body: { emails }, ...oncePerPress() }));
}

export function loadProgress(batchId: string): Promise<BatchProgress> {
  return dataOf(
    api.GET("/api/validate/batch/{batch_id}/status", { params: { path: { batch_id: batchId } } }),
  );
}

export function loadBatch(batchId: string, page: number, pageSize: number): Promise<BatchDetail> {
  return dataOf(
    api.GET("/api/validate/batch/{batch_id}", {
      params: { path: { batch_id: batchId }, query: { page, page_size: pageSize } },
    }),
  );
}

export function loadResult(id: number): Promise<Result> {
  return dataOf(api.GET("/api/validate/result/{result_id}", { params: { path: { result_id: id } } }));
}

/** The batches that are queued or processing, newest first. */
export async function loadActive(): Promise<Batch[]> {
  const history = await dataOf(api.GET("/api/validate/batches", { params: { query: { active: true } } }));
  return history.batches;
}

/** After work was done or credits were spent: the figures of the page are read again. */
export function refreshCredits(): void {
  void queryClient.invalidateQueries({ queryKey: ["credits"] });
  void queryClient.invalidateQueries({ queryKey: OVERVIEW });
}
