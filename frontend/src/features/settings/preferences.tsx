import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Preferences as Values } from "../../api/types";
import { api, dataOf } from "../../lib/client";
import { messageOf } from "../../lib/errors";
import { queryClient } from "../../lib/query";
import { Loaded } from "../../ui/states";

const NOT_SAVED = "Failed to save preferences";

interface Saved<T> {
  /** Saves a change. */
  save: (change: Partial<T>) => void;
  /** Values with what is on its way. */
  shown: (values: T) => T;
}

/** Shows a change at once, until it is answered; changes are sent one after the other. */
export function useSaved<T extends object>(key: string, send: (change: Partial<T>) => Promise<T>): Saved<T> {
  const queryKey = [key];
  const [sent, setSent] = useState<Partial<T>>({});
  const { mutate } = useMutation({
    mutationKey: queryKey,
    mutationFn: send,
    scope: { id: key },
    onSuccess: (values) => queryClient.setQueryData(queryKey, values),
    onError: (error) => toast.error(messageOf(error, NOT_SAVED)),
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: queryKey }) === 1) setSent({}); // the last one
    },
  });
  return {
    save: (change) => {
      void queryClient.cancelQueries({ queryKey }); // what was read before the change comes too late
      setSent((before) => ({ ...before, ...change }));
      mutate(change);
    },
    shown: (values) => ({ ...values, ...sent }),
  };
}

const BOXES: readonly (readonly [keyof Values, string, string])[] = [
  ["email_notifications", "Email notifications", "Finished lists and news about your account"],
  ["analytics", "Analytics", "Lets us measure which parts of the site are used"],
  ["marketing", "Marketing", "Offers and product news"],
];

interface ChoiceProps {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Choice({ label, hint, checked, onChange }: ChoiceProps): ReactNode {
  return (
    <label className="choice">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label} <span className="muted small">{hint}</span>
      </span>
    </label>
  );
}

/** Which mails are wanted, and whether usage may be measured. */
export function Preferences(): ReactNode {
  const preferences = useQuery({
    queryKey: ["preferences"],
    queryFn: () => dataOf(api.GET("/api/user/preferences")) as Promise<Values>,
  });
  const { save, shown } = useSaved<Values>(
    "preferences",
    (body) => dataOf(api.PUT("/api/user/preferences", { body })) as Promise<Values>,
  );
  return (
    <section className="card stack-4" aria-labelledby="preferences-heading">
      <h2 id="preferences-heading">Preferences</h2>
      <Loaded query={preferences} fallback="Failed to load preferences" rows={3}>
        {(values) => (
          <div>
            {BOXES.map(([name, label, hint]) => (
              <Choice
                key={name}
                label={label}
                hint={hint}
                checked={shown(values)[name]}
                onChange={(checked) => save({ [name]: checked })}
              />
            ))}
          </div>
        )}
      </Loaded>
      <p className="muted small">Mails about security and payments are always sent.</p>
    </section>
  );
}
