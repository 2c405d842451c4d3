// The calls about a file between its upload and its start.
import type { Draft, DraftChoices, Started } from "../../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../../lib/client";

const buildPath = (uploadId: string) => ({ params: { path: { upload_id: uploadId } } });

export function loadDraft(uploadId: string): Promise<Draft> {
  return readData(api.GET("/api/validate/upload/{upload_id}", buildPath(uploadId)));
}

export function changeDraft(uploadId: string, choices: DraftChoices): Promise<Draft> {
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

const READING = ["sheet", "email_column", "has_header", "encoding", "delimiter"] as const;
type ReadingChoice = (typeof READING)[number];

// What a choice makes void: another sheet has other columns, another delimiter too.
const VOIDED: Partial<Record<string, ReadingChoice[]>> = {
  sheet: ["email_column", "has_header"],
  encoding: ["email_column"],
  delimiter: ["email_column"],
};

/** What was chosen so far, with one choice more; what was guessed stays to be guessed. */
export function mergeChoices(draft: Draft, change: DraftChoices): DraftChoices {
  const voided = new Set(Object.keys(change).flatMap((name) => VOIDED[name] ?? []));
  const kept = READING.filter((name) => draft.chosen.includes(name) && !voided.has(name));
  const reading = Object.fromEntries(kept.map((name) => [name, draft[name]]));
  const { retention_days, use_providers, max_credits } = draft;
  return { ...reading, retention_days, use_providers, max_credits, ...change } as DraftChoices;
}

/** The upload as it will be once the choices are answered. */
export function predictDraft(draft: Draft, choices: DraftChoices): Draft {
  const chosen = READING.filter((name) => choices[name] !== undefined && choices[name] !== null);
  return { ...draft, ...choices, chosen } as Draft;
}
