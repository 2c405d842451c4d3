import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import Clock from "lucide-react/icons/clock";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Pause from "lucide-react/icons/pause";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { BatchStatus, Category } from "../api/types";
import { CATEGORY_WORDS, LABEL_NEVER, LABEL_RISKY, LABEL_SAFE, formatStatus } from "../lib/labels";
import { Badge } from "./badge";
import { GLYPH_SHAPES, type Shape } from "./glyph";

/** A category as word, shape and colour. */
export function CategoryBadge({ category, large }: { category: Category; large?: boolean }): ReactNode {
  const look = [CATEGORY_WORDS[category], category, GLYPH_SHAPES[category]] as const;
  return <Badge look={look} large={large} />;
}

type StatusLook = readonly [tone: string, Icon: Shape];

const STATUS_LOOKS: Partial<Record<string, StatusLook>> & Record<BatchStatus, StatusLook> = {
  queued: ["plain", Clock],
  processing: ["plain", LoaderCircle],
  completed: ["plain", Check],
  failed: ["problem", TriangleAlert],
  paused: ["plain", Pause],
  cancelled: ["plain", Ban],
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
