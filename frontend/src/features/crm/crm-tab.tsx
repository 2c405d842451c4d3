import { useEffect, useRef, type ReactNode } from "react";

import { useUrlState } from "../../lib/url-state";
import { findOption, SegmentedControl } from "../../ui/segmented-control";
import { Contracts } from "./contracts/contracts";
import { Renewals } from "./contracts/renewals";
import { Messages } from "./messages/messages";
import { Newsletter } from "./messages/newsletter";
import { Pipeline } from "./deals/pipeline";

const VIEWS = {
  pipeline: "Deal Pipeline",
  contracts: "Active Contracts",
  renewals: "Renewal Alerts",
  messages: "Messages",
  newsletter: "Newsletter",
} as const;

type View = keyof typeof VIEWS;

function ViewBody({ view }: { view: View }): ReactNode {
  switch (view) {
    case "pipeline":
      return <Pipeline />;
    case "contracts":
      return <Contracts />;
    case "renewals":
      return <Renewals />;
    case "messages":
      return <Messages />;
    case "newsletter":
      return <Newsletter />;
  }
}

/** The tab CRM & Contracts; the view is in the address. */
export function CrmTab(): ReactNode {
  const [url, setUrl] = useUrlState();
  const view = findOption(VIEWS, url.get("view"), "pipeline");
  const views = useRef<HTMLDivElement>(null);
  // On a phone the switch is longer than the screen.
  useEffect(() => {
    views.current
      ?.querySelector('[aria-pressed="true"]')
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [view]);
  return (
    <div className="stack">
      <div ref={views} className="crm-views">
        <SegmentedControl
          label="View"
          value={view}
          options={VIEWS}
          onChange={(next) => setUrl({ view: next === "pipeline" ? null : next })}
        />
      </div>
      <ViewBody view={view} />
    </div>
  );
}
