import type { ReactNode } from "react";

import { Claims } from "../claims/claims";
import { MailPreviews } from "../mails/mails";
import { Actions } from "./actions";
import { Activity } from "./activity";
import { Audit } from "./audit";
import { Backups } from "./backups";
import { Logs } from "./logs";
import { Stats } from "./stats";
import { StuckWork } from "./stuck";

/** Running the system. */
export function SystemTab(): ReactNode {
  return (
    <div className="system-tab">
      <Stats />
      <Actions />
      <Backups />
      <StuckWork />
      <Activity />
      <Logs />
      <Audit />
      <Claims />
      <MailPreviews />
    </div>
  );
}
