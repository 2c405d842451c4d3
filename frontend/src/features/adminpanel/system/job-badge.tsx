import CircleCheck from "lucide-react/icons/circle-check";
import LoaderCircle from "lucide-react/icons/loader-circle";
import OctagonX from "lucide-react/icons/octagon-x";
import type { ReactNode } from "react";

import type { Backup } from "../../../api/types";
import { Badge, type Look } from "../../../ui/badge";

const LOOKS: Record<Backup["status"], Look> = {
  running: ["Running", "plain", LoaderCircle],
  completed: ["Completed", "plain", CircleCheck],
  failed: ["Failed", "problem", OctagonX],
};

/** How long work in the background stands. */
export function JobBadge({ status }: { status: Backup["status"] }): ReactNode {
  return <Badge look={LOOKS[status]} />;
}
