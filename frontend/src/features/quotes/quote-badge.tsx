import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Hourglass from "lucide-react/icons/hourglass";
import type { ReactNode } from "react";

import type { Quote } from "../../api/types";
import { getBadge } from "./quote-states";
import { Badge } from "../../ui/badge";

const LOOKS: Partial<Record<string, readonly [tone: string, Icon: LucideIcon]>> = {
  Expired: ["unknown", Hourglass],
  Declined: ["unknown", CircleX],
  "Paid - Pending Activation": ["risky", Clock],
  Activated: ["valid", CircleCheck],
  "Plan Selected": ["catch_all", CircleDashed],
};

/** Where a quote stands, as word, shape and colour. */
export function QuoteBadge({ quote }: { quote: Quote }): ReactNode {
  const word = getBadge(quote);
  return <Badge look={[word, ...(LOOKS[word] ?? ["accent", CircleDashed])]} />;
}
