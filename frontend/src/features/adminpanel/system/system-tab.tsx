import type { ReactNode } from "react";

import { Claims } from "../../crm/claims";
import { MailPreviews } from "./mails";
import { Actions } from "./actions";
import { Activity } from "./activity";
import { Audit } from "./audit";
import { Backups } from "../backups/backups";
import { Logs } from "./logs";
import { Stats } from "./stats";
import { StuckWork } from "./stuck";

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
function Jumps(): ReactNode {
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
      <Jumps />
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
