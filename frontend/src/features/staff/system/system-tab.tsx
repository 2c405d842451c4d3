import type { ReactNode } from "react";

import { Claims } from "../claims/claims";
import { MailPreviews } from "../mails/mails";
import { Backups } from "./backups";

/** Running the system. */
export function SystemTab(): ReactNode {
  return (
    <div className="stack">
      <Backups />
      <Claims />
      <MailPreviews />
    </div>
  );
}
