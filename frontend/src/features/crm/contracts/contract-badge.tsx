import CircleCheck from "lucide-react/icons/circle-check";
import CircleX from "lucide-react/icons/circle-x";
import Hourglass from "lucide-react/icons/hourglass";
import History from "lucide-react/icons/rotate-ccw-clock";
import type { ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { Badge, type Look } from "../../../ui/badge";

const LOOKS: Record<Contract["status"], Look> = {
  active: ["Active", "plain", CircleCheck],
  expiring: ["Expiring", "plain", Hourglass],
  expired: ["Expired", "plain", History],
  cancelled: ["Cancelled", "plain", CircleX],
};

/** Where a contract stands, as word and shape. */
export function ContractBadge({ status }: Pick<Contract, "status">): ReactNode {
  return <Badge look={LOOKS[status]} />;
}
