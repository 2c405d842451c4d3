import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import OctagonX from "lucide-react/icons/octagon-x";
import Undo2 from "lucide-react/icons/undo-2";
import type { ReactNode } from "react";

import { toSentenceCase } from "../../../lib/labels";
import { Badge } from "../../../ui/badge";

/** What the list and the details of payments are kept under. */
export const PAYMENTS = ["payments"] as const;

const KINDS: Partial<Record<string, string>> = { credits: "Credit pack", plan_change: "Plan change" };

export function formatPaymentKind(kind: string): string {
  return KINDS[kind] ?? toSentenceCase(kind);
}

const LOOKS: Partial<Record<string, readonly [tone: string, Icon: LucideIcon]>> = {
  captured: ["plain", CircleCheck],
  refunded: ["plain", Undo2],
  failed: ["problem", OctagonX],
};

/** The state of a payment as word and shape; a failure has a colour too. */
export function PaymentBadge({ status }: { status: string }): ReactNode {
  return <Badge look={[toSentenceCase(status), ...(LOOKS[status] ?? ["plain", Clock])]} />;
}
