import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import OctagonX from "lucide-react/icons/octagon-x";
import RefreshCw from "lucide-react/icons/refresh-cw";
import type { ReactNode } from "react";

import type { ApiCredits } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { Badge, type Look } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { LiveView } from "../../../ui/live-view";
import { Section } from "../../../ui/section";
import { SkeletonCards } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { useApiCredits } from "./queries";
import { ProviderStatistics } from "./provider-stats";
import { useLoadToast } from "../../../lib/use-action";

type Provider = ApiCredits["providers"][string];

const LOOKS: Record<Provider["status"], Look> = {
  ok: ["Connected", "plain", CircleCheck],
  error: ["Error", "problem", OctagonX],
  not_configured: ["Not configured", "plain", CircleSlash],
};

function formatCredits(value: unknown): string {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

function ProviderCard({ name, provider }: { name: string; provider: Provider }): ReactNode {
  return (
    <section className="card provider" aria-label={name}>
      <div className="row row-between">
        <h3>{name}</h3>
        <Badge look={LOOKS[provider.status]} />
      </div>
      <dl className="lines">
        <div>
          <dt>Credits left</dt>
          <dd>{formatCredits(provider.credits)}</dd>
        </div>
        <div>
          <dt>Used in</dt>
          <dd className="wrap">{provider.plans.map(toSentenceCase).join(", ")}</dd>
        </div>
      </dl>
      {provider.error === null ? null : (
        <p className={provider.status === "error" ? "notice notice-danger" : "muted small"}>
          {provider.error}
        </p>
      )}
    </section>
  );
}

function ProviderCards(): ReactNode {
  const found = useApiCredits();
  useLoadToast(found, "Failed to load API credits", "described");
  return (
    <Section
      id="api-credits-heading"
      title="API Credits"
      aside={
        <div className="row">
          {found.data ? (
            <span className="muted small">
              Last check: <Time at={found.data.last_check} />
            </span>
          ) : null}
          <Button busy={found.isFetching} onClick={() => void found.refetch()}>
            <RefreshCw size={16} aria-hidden />
            Refresh
          </Button>
        </div>
      }
    >
      <LiveView
        query={found}
        fallback="Failed to load API credits"
        rows={<SkeletonCards count={3} block="skeleton-provider" />}
      >
        {({ providers }) => (
          <div className="cards">
            {Object.entries(providers).map(([name, provider]) => (
              <ProviderCard key={name} name={name} provider={provider} />
            ))}
          </div>
        )}
      </LiveView>
    </Section>
  );
}

/** Credits left at outside providers, asked when the tab is first opened and on demand; what they cost and are worth. */
export function ApiCreditsTab(): ReactNode {
  return (
    <div className="stack">
      <ProviderCards />
      <ProviderStatistics />
    </div>
  );
}
