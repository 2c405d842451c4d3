import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import type { Draft, DraftChoices, SentChoices, Started } from "../../../../api/types";
import { changeDraft, discardDraft, getRepairsKey, loadDraft, startDraft } from "./calls";
import { changesCounts, mergeChoices, predictDraft } from "./choices";
import { getErrorMessage } from "../../../../lib/errors";
import { getDraftKey, MESSAGE_FAILED } from "./upload";
import { toastFailure } from "../../validation-failure";

interface DraftEnds {
  onStarted: (started: Started, pasted: boolean) => void;
  onGone: () => void;
}

/** What is chosen for it. Of several choices in quick order the last one says them all, and is sent alone. */
function useChoices(uploadId: string, draft: Draft | undefined) {
  const client = useQueryClient();
  const newest = useRef<SentChoices | null>(null);
  const change = useMutation({
    mutationFn: async (choices: SentChoices) =>
      choices === newest.current ? changeDraft(uploadId, choices) : null,
    scope: { id: uploadId },
    onSuccess: (changed) => {
      if (!changed) return;
      client.setQueryData(getDraftKey(uploadId), changed);
      // The pages that are shown stay; cursors of the next ones are those of the new reading.
      void client.invalidateQueries({ queryKey: getRepairsKey(uploadId), refetchType: "none" });
    },
  });
  // What was just chosen shows at once; the answer settles it.
  const shown = draft && change.isPending ? predictDraft(draft, change.variables) : draft;
  const choose = (choices: DraftChoices) => {
    if (!shown) return;
    newest.current = mergeChoices(shown, choices);
    change.mutate(newest.current);
  };
  const counting = draft !== undefined && change.isPending && changesCounts(draft, change.variables);
  return { shown, change, choose, counting };
}

/** A list before its start, and what can be done with it. */
export function useDraft(uploadId: string, { onStarted, onGone }: DraftEnds) {
  const client = useQueryClient();
  const draft = useQuery({
    queryKey: getDraftKey(uploadId),
    queryFn: () => loadDraft(uploadId),
    retry: false,
  });
  const choices = useChoices(uploadId, draft.data);
  const forget = () => client.removeQueries({ queryKey: getDraftKey(uploadId) });
  const start = useMutation({
    mutationFn: (isPrivate: boolean) => startDraft(uploadId, isPrivate),
    onSuccess: (started) => {
      onStarted(started, draft.data?.pasted ?? false);
      forget();
    },
    onError: (error) => toastFailure(getErrorMessage(error, MESSAGE_FAILED), error),
  });
  const discard = useMutation({
    mutationFn: () => discardDraft(uploadId),
    // Gone already is gone; anything else it is cleared away by itself after a day.
    onSettled: () => {
      onGone();
      forget();
    },
  });
  return { draft, start, discard, ...choices };
}

export type DraftState = ReturnType<typeof useDraft>;
