import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import LoaderCircle from "lucide-react/icons/loader-circle";
import OctagonX from "lucide-react/icons/octagon-x";
import type { ReactNode } from "react";

import type { Backup } from "../../../api/types";

const LOOKS: Record<Backup["status"], [string, string, LucideIcon]> = {
  running: ["Running", "catch_all", LoaderCircle],
  completed: ["Completed", "valid", CircleCheck],
  failed: ["Failed", "invalid", OctagonX],
};

/** How long work in the background stands. */
export function JobBadge({ status }: { status: Backup["status"] }): ReactNode {
  const [word, tone, Icon] = LOOKS[status];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}
