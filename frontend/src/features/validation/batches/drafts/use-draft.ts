import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type { Draft, DraftChoices, Started } from "../../../../api/types";
import { changeDraft, mergeChoices, discardDraft, predictDraft, loadDraft, startDraft } from "./calls";
import { getErrorMessage } from "../../../../lib/errors";
import { MESSAGE_FAILED } from "./upload";
import { toastFailure } from "../../validation-failure";

export const getDraftKey = (uploadId: string) => ["upload", uploadId];

/** A file before its start, and what can be done with it. */
export function useDraft(
  uploadId: string,
  ended: { onStarted: (started: Started) => void; onGone: () => void },
) {
  const client = useQueryClient();
  const draft = useQuery({
    queryKey: getDraftKey(uploadId),
    queryFn: () => loadDraft(uploadId),
    retry: false,
  });
  const storeDraft = (changed: Draft) => client.setQueryData(getDraftKey(uploadId), changed);
  const forget = () => client.removeQueries({ queryKey: getDraftKey(uploadId) });
  const change = useMutation({
    mutationFn: (choices: DraftChoices) => changeDraft(uploadId, choices),
    scope: { id: uploadId },
    onSuccess: storeDraft,
  });
  const start = useMutation({
    mutationFn: (isPrivate: boolean) => startDraft(uploadId, isPrivate),
    onSuccess: (started) => {
      ended.onStarted(started);
      forget();
    },
    onError: (error) => toastFailure(getErrorMessage(error, MESSAGE_FAILED), error),
  });
  const discard = useMutation({
    mutationFn: () => discardDraft(uploadId),
    // Gone already is gone; anything else it is cleared away by itself after a day.
    onSettled: () => {
      ended.onGone();
      forget();
    },
  });
  // What was just chosen shows at once; the answer settles it.
  const shown = draft.data && change.isPending ? predictDraft(draft.data, change.variables) : draft.data;
  const choose = (choices: DraftChoices) => {
    if (shown) change.mutate(mergeChoices(shown, choices));
  };
  return { draft, shown, change, start, discard, choose };
}

export type DraftState = ReturnType<typeof useDraft>;
