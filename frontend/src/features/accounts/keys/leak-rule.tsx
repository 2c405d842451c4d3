import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { mayDo } from "../../../lib/rights";
import { useOptimisticSave } from "../../../lib/use-optimistic-save";
import { Checkbox } from "../../../ui/checkbox";
import { Loaded } from "../../../ui/states";

function loadRule() {
  return readData(api.GET("/api/organisation/leaked-keys"));
}

type Rule = Awaited<ReturnType<typeof loadRule>>;

/** Whether keys that were found in public are revoked at once; those who manage the organisation decide. */
export function LeakRule(): ReactNode {
  const rule = useQuery({ queryKey: ["leak-rule"], queryFn: loadRule });
  const save = useOptimisticSave<Rule>("leak-rule", (body) =>
    readData(api.PUT("/api/organisation/leaked-keys", { body })),
  );
  return (
    <Loaded query={rule} fallback="Failed to load the rule of leaked keys" rows={1}>
      {({ revoke_leaked_keys = true }) =>
        mayDo("manage") ? (
          <Checkbox
            label="Revoke keys that are found in public"
            hint="Secret scanners report them to us. Their maker, owners and admins are told in either case."
            checked={revoke_leaked_keys}
            onChange={(revoke) => save.mutate({ revoke_leaked_keys: revoke })}
          />
        ) : (
          <p className="muted small">
            {revoke_leaked_keys
              ? "Keys that are found in public are revoked at once."
              : "Keys that are found in public are reported to you, not revoked."}
          </p>
        )
      }
    </Loaded>
  );
}
