// The calls about a list between its upload and its start.
import type {
  Draft,
  RepairKind,
  RepairsPage,
  SampleState,
  SentChoices,
  Started,
} from "../../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../../lib/client";

const buildPath = (uploadId: string) => ({ params: { path: { upload_id: uploadId } } });

export function loadDraft(uploadId: string): Promise<Draft> {
  return readData(api.GET("/api/validate/upload/{upload_id}", buildPath(uploadId)));
}

export function changeDraft(uploadId: string, choices: SentChoices): Promise<Draft> {
  return readData(api.PUT("/api/validate/upload/{upload_id}", { ...buildPath(uploadId), body: choices }));
}

export function startDraft(uploadId: string, isPrivate: boolean): Promise<Started> {
  return readData(
    api.POST("/api/validate/upload/{upload_id}/start", {
      ...buildPath(uploadId),
      ...withIdempotencyKey(),
      body: { private: isPrivate },
    }),
  );
}

export async function discardDraft(uploadId: string): Promise<void> {
  await api.DELETE("/api/validate/upload/{upload_id}", buildPath(uploadId));
}

/** What the account says where a list says nothing. */
export function loadRetention() {
  return readData(api.GET("/api/user/retention"));
}

export const getRepairsKey = (uploadId: string) => ["repairs", uploadId];

const REPAIRS_A_PAGE = 100;

/**
 * A page of what was taken out of longer text, or of the likely typing errors.
 * @param kind of repair.
 */
export function loadRepairs(uploadId: string, kind: RepairKind, cursor: string): Promise<RepairsPage> {
  const query = { kind, cursor, limit: REPAIRS_A_PAGE };
  const params = { ...buildPath(uploadId).params, query };
  return readData(api.GET("/api/validate/upload/{upload_id}/repairs", { params }));
}

export function loadSample(uploadId: string): Promise<SampleState> {
  return readData(api.GET("/api/validate/upload/{upload_id}/sample", buildPath(uploadId)));
}

export function startSample(uploadId: string): Promise<SampleState> {
  return readData(
    api.POST("/api/validate/upload/{upload_id}/sample", { ...buildPath(uploadId), ...withIdempotencyKey() }),
  );
}
