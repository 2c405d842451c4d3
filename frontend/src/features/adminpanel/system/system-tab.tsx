import type { ReactNode } from "react";

import { Claims } from "../../crm/claims";
import { MailPreviews } from "./mail-previews";
import { SystemActions } from "./system-actions";
import { SystemActivity } from "./system-activity";
import { AuditLog } from "./audit-log";
import { Backups } from "../backups/backups";
import { LogRecords } from "./log-records";
import { SystemStatistics } from "./system-statistics";
import { StuckWork } from "./stuck-work";

const SECTIONS = {
  backups: "Backups",
  stuck: "Stuck work",
  activity: "User activity",
  logs: "Logs",
  audit: "Audit",
  claims: "Claims",
  mails: "Emails",
} as const;

/** The page is long. */
function SectionLinks(): ReactNode {
  return (
    <nav className="system-jumps" aria-label="On this page">
      {Object.entries(SECTIONS).map(([section, name]) => (
        <a key={section} href={`#${section}-heading`}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Running the system. */
export function SystemTab(): ReactNode {
  return (
    <div className="system-tab">
      <SectionLinks />
      <SystemStatistics />
      <SystemActions />
      <Backups />
      <StuckWork />
      <SystemActivity />
      <LogRecords />
      <AuditLog />
      <Claims />
      <MailPreviews />
    </div>
  );
}
