import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDot from "lucide-react/icons/circle-dot";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Hourglass from "lucide-react/icons/hourglass";
import type { ReactNode } from "react";

import type { Quote } from "../../api/types";
import { getBadge } from "./quote-states";
import { Badge } from "../../ui/badge";

const SHAPES: Partial<Record<string, LucideIcon>> = {
  Expired: Hourglass,
  Declined: CircleX,
  "Paid - Pending Activation": Clock,
  Activated: CircleCheck,
};

/** Where a quote stands, as word and shape; colours are for verdicts. */
export function QuoteBadge({ quote }: { quote: Quote }): ReactNode {
  const word = getBadge(quote);
  return <Badge look={[word, "plain", SHAPES[word] ?? CircleDot]} />;
}
