import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { toast } from "sonner";

import { getErrorMessage } from "./errors";

/** Nothing else says why it failed: it stays as long as it takes to read and to act. */
const FAILURE_MS = 10_000;

/**
 * Where the reason of a failure is said: by the page; in a toast, in place of our words; in both; or in a toast, below
 * our words.
 */
export type Says = "here" | "toast" | "both" | "described";

/** What failed, where the server does not say why. */
export type FailureWords = string | ((error: unknown) => string);

export function describeFailure(error: unknown, words: FailureWords): string {
  return getErrorMessage(error, typeof words === "string" ? words : words(error));
}

export function sayFailure(error: unknown, failed: FailureWords, says: Says): void {
  const words = typeof failed === "string" ? failed : failed(error);
  const duration = FAILURE_MS;
  if (says === "toast" || says === "both") toast.error(getErrorMessage(error, words), { duration });
  if (says === "described") toast.error(words, { description: getErrorMessage(error, ""), duration });
}

/** Says in a toast that something did not come at all; the place of it says so too, and offers another try. */
export function useLoadToast(
  { data, error }: { data: unknown; error: unknown },
  failed: FailureWords,
  says: Says = "toast",
): void {
  const reason = data === undefined ? error : null;
  useEffect(() => {
    if (reason) sayFailure(reason, failed, says);
  }, [reason, failed, says]);
}

export interface ActionOptions<Answer, Input> {
  /** What a toast says when it is done. */
  done?: ((answer: Answer, input: Input) => string | null) | undefined;
  /** Takes it back; the toast offers it. */
  undo?: ((answer: Answer, input: Input) => void) | undefined;
  says?: Says;
  onDone?: (answer: Answer, input: Input) => unknown;
  /** Told when it is over, done or failed, with the answer if there is one: what is shown is brought up to date then. */
  onEnd?: ((answer: Answer | undefined) => unknown) | undefined;
}

/** For `done`: what the server says, if it says anything. */
export function getMessage(answer: unknown): string | null {
  const { message } = (answer ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : null;
}

/** Does something on the server, and says in a toast how that went. */
export function useAction<Answer, Input = void>(
  act: (input: Input) => Promise<Answer>,
  failed: FailureWords,
  { done, undo, says = "toast", onDone, onEnd }: ActionOptions<Answer, Input> = {},
): UseMutationResult<Answer, Error, Input> {
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, input) => {
      const words = done?.(answer, input);
      const action = undo && { label: "Undo", onClick: () => undo(answer, input) };
      if (words) toast.success(words, action ? { action } : {});
      return onDone?.(answer, input);
    },
    onError: (error) => sayFailure(error, failed, says),
    onSettled: (answer) => onEnd?.(answer),
  });
}
