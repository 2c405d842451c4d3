import type { ReactNode } from "react";

import { SectionNav } from "../../../ui/section-nav";
import { Claims } from "../../crm/claims";
import { MailPreviews } from "./mail-previews";
import { SystemActions } from "./system-actions";
import { SystemActivity } from "./system-activity";
import { AuditLog } from "./audit-log";
import { Backups } from "../backups/backups";
import { LogRecords } from "./log-records";
import { SystemStatistics } from "./system-statistics";
import { StuckWork } from "./stuck-work";

const SECTIONS = [
  ["stats-heading", "System"],
  ["actions-heading", "Actions"],
  ["backups-heading", "Backups"],
  ["stuck-heading", "Stuck work"],
  ["activity-heading", "User activity"],
  ["logs-heading", "Logs"],
  ["audit-heading", "Audit"],
  ["claims-heading", "Claims"],
  ["mails-heading", "Emails"],
] as const;

/** Running the system. */
export function SystemTab(): ReactNode {
  return (
    <div className="stack system-tab">
      <SectionNav sections={SECTIONS} />
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
