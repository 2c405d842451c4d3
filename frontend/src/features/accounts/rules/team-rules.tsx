import type { ReactNode } from "react";

import { Loaded } from "../../../ui/states";
import { useCurrentUser } from "../profile/use-current-user";
import { useRules } from "./calls";
import { DomainsRule } from "./domains-rule";
import { DownloadsRule } from "./downloads-rule";
import { NetworksRule } from "./networks-rule";
import { SecondFactorRule } from "./second-factor-rule";

/** What the organisation asks of those who sign in. */
export function TeamRules(): ReactNode {
  const rules = useRules();
  const owner = useCurrentUser().data?.organisation.role === "owner";
  return (
    <Loaded query={rules} fallback="Failed to load the rules" rows={6}>
      {(found) => (
        <div className="stack">
          <SecondFactorRule rules={found} owner={owner} />
          <NetworksRule rules={found} />
          <DomainsRule manages={found.missing !== null} />
          <DownloadsRule manages={found.missing !== null} />
        </div>
      )}
    </Loaded>
  );
}
