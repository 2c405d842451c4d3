import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Hourglass from "lucide-react/icons/hourglass";
import type { ReactNode } from "react";

import type { Quote } from "../../api/types";
import { getBadge } from "./quote-states";

const LOOKS: Partial<Record<string, [string, LucideIcon]>> = {
  Expired: ["unknown", Hourglass],
  Declined: ["unknown", CircleX],
  "Paid - Pending Activation": ["risky", Clock],
  Activated: ["valid", CircleCheck],
  "Plan Selected": ["catch_all", CircleDashed],
};

/** Where a quote stands, as word, shape and colour. */
export function QuoteBadge({ quote }: { quote: Quote }): ReactNode {
  const word = getBadge(quote);
  const [tone, Icon] = LOOKS[word] ?? ["accent", CircleDashed];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}
