import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import Hourglass from "lucide-react/icons/hourglass";
import History from "lucide-react/icons/rotate-ccw-clock";
import type { ReactNode } from "react";

import type { Contract } from "../../../api/types";

const LOOKS: Record<Contract["status"], readonly [string, string, LucideIcon]> = {
  active: ["Active", "valid", CircleCheck],
  expiring: ["Expiring", "risky", Hourglass],
  expired: ["Expired", "unknown", History],
  cancelled: ["Cancelled", "invalid", CircleX],
};

/** Where a contract stands, as word, shape and colour. */
export function ContractBadge({ status }: Pick<Contract, "status">): ReactNode {
  const [word, tone, Icon] = LOOKS[status];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}
