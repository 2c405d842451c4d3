import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import Clock from "lucide-react/icons/clock";
import Diamond from "lucide-react/icons/diamond";
import Hourglass from "lucide-react/icons/hourglass";
import LoaderCircle from "lucide-react/icons/loader-circle";
import OctagonX from "lucide-react/icons/octagon-x";
import Pause from "lucide-react/icons/pause";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { BatchStatus, Category } from "../api/types";
import { CATEGORY_WORDS, LABEL_NEVER, LABEL_RISKY, LABEL_SAFE, formatStatus } from "../lib/labels";
import { Badge } from "./badge";

export const CATEGORY_ICONS: Record<Category, LucideIcon> = {
  valid: CircleCheck,
  invalid: OctagonX,
  catch_all: Diamond,
  disposable: Hourglass,
  spam_trap: TriangleAlert,
  unknown: CircleDashed,
};

/** A category as word, shape and colour. */
export function CategoryBadge({ category, large }: { category: Category; large?: boolean }): ReactNode {
  const look = [CATEGORY_WORDS[category], category, CATEGORY_ICONS[category]] as const;
  return <Badge look={look} large={large} />;
}

type StatusLook = readonly [tone: string, Icon: LucideIcon];

const STATUS_LOOKS: Partial<Record<string, StatusLook>> & Record<BatchStatus, StatusLook> = {
  queued: ["unknown", Clock],
  processing: ["catch_all", LoaderCircle],
  completed: ["valid", CircleCheck],
  failed: ["invalid", OctagonX],
  paused: ["risky", Pause],
  cancelled: ["unknown", CircleDashed],
};

/** A status of a server newer than this page is shown as it came. */
export function BatchBadge({ status }: { status: string }): ReactNode {
  return <Badge look={[formatStatus(status), ...(STATUS_LOOKS[status] ?? STATUS_LOOKS.queued)]} />;
}

const LABEL_TONES: Partial<Record<string, string>> = {
  [LABEL_SAFE]: "valid",
  [LABEL_RISKY]: "risky",
  [LABEL_NEVER]: "invalid",
};

/** Whether to send, in words and colour. */
export function SendLabel({ label }: { label: string }): ReactNode {
  return <span className={`tone-text tone-${LABEL_TONES[label] ?? "unknown"}`}>{label}</span>;
}
