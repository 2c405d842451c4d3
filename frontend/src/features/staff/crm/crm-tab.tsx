import type { ReactNode } from "react";

import { useUrlState } from "../../../lib/url-state";
import { Switch } from "../../../ui/filters";
import { chosen } from "../choice";
import { Pipeline } from "./pipeline/pipeline";

const VIEWS = [["pipeline", "Deal Pipeline"]] as const;

/** The tab CRM & Contracts; the view is in the address. */
export function CrmTab(): ReactNode {
  const [url, setUrl] = useUrlState();
  const view = chosen(VIEWS, url.get("view"), "pipeline");
  return (
    <div className="stack" data-wide>
      <Switch label="View" value={view} options={VIEWS} onChange={(next) => setUrl({ view: next })} />
      <Pipeline />
    </div>
  );
}
