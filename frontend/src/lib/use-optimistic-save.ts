import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";

import { getErrorMessage } from "./errors";
import { queryClient } from "./query";

const NOT_SAVED = "Failed to save preferences";

/** Of the values, those that `change` names. */
function pickChanged<T extends object>(values: T, change: Partial<T>): Partial<T> {
  const names = Object.keys(change) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<T>;
}

/**
 * Shows a change at once, sends it, and takes it back when it was not kept. Changes are sent one after another, and what
 * the server says is shown when the last of them is answered: before, it knows nothing of those on their way.
 */
export function useOptimisticSave<T extends object>(key: string, send: (change: Partial<T>) => Promise<T>) {
  const queryKey = [key];
  const show = (change: Partial<T>) =>
    queryClient.setQueryData<T>(queryKey, (values) => (values ? { ...values, ...change } : values));
  return useMutation({
    mutationKey: ["save", key],
    scope: { id: key },
    mutationFn: send,
    onMutate: (change) => {
      void queryClient.cancelQueries({ queryKey }); // what was read before the change comes too late
      const before = queryClient.getQueryData<T>(queryKey);
      show(change);
      return before && pickChanged(before, change);
    },
    onSuccess: (values) => {
      if (queryClient.isMutating({ mutationKey: ["save", key] }) === 1) show(values);
    },
    onError: (error, _, before) => {
      if (before) show(before);
      toast.error(getErrorMessage(error, NOT_SAVED));
    },
  });
}
