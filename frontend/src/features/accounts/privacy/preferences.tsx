import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Preferences as Values } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { Checkbox } from "../../../ui/checkbox";
import { Section } from "../../../ui/section";
import { Loaded } from "../../../ui/states";

const BOXES: readonly (readonly [keyof Values, string, string])[] = [
  ["email_notifications", "Email notifications", "Finished lists and news about your account"],
  ["analytics", "Analytics", "Lets us measure which parts of the site are used"],
  ["marketing", "Marketing", "Offers and product news"],
];

/** Which mails are wanted, and whether usage may be measured. */
export function Preferences(): ReactNode {
  const preferences = useQuery({
    queryKey: ["preferences"],
    queryFn: () => readData(api.GET("/api/user/preferences")) as Promise<Values>,
  });
  const save = useOptimisticSave<Values>(
    "preferences",
    (body) => readData(api.PUT("/api/user/preferences", { body })) as Promise<Values>,
  );
  return (
    <Section anchor="preferences" id="preferences-heading" title="Preferences" card>
      <Loaded query={preferences} fallback="Failed to load preferences" rows={3}>
        {(values) => (
          <div>
            {BOXES.map(([name, label, hint]) => (
              <Checkbox
                key={name}
                label={label}
                hint={hint}
                checked={values[name]}
                onChange={(checked) => save.mutate({ [name]: checked })}
              />
            ))}
          </div>
        )}
      </Loaded>
      <p className="muted small">Emails about security and payments are always sent.</p>
    </Section>
  );
}
