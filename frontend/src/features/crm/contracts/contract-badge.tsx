import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import Hourglass from "lucide-react/icons/hourglass";
import History from "lucide-react/icons/rotate-ccw-clock";
import type { ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { Badge, type Look } from "../../../ui/badge";

const LOOKS: Record<Contract["status"], Look> = {
  active: ["Active", "valid", CircleCheck],
  expiring: ["Expiring", "risky", Hourglass],
  expired: ["Expired", "unknown", History],
  cancelled: ["Cancelled", "invalid", CircleX],
};

/** Where a contract stands, as word, shape and colour. */
export function ContractBadge({ status }: Pick<Contract, "status">): ReactNode {
  return <Badge look={LOOKS[status]} />;
}
