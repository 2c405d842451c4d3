import type { LucideIcon } from "lucide-react";
import Bug from "lucide-react/icons/bug";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { LogLine } from "../../../api/types";

type Level = LogLine["level"];

export const LEVELS: readonly (readonly [Level | "", string])[] = [
  ["", "All levels"],
  ["INFO", "INFO"],
  ["WARNING", "WARNING"],
  ["ERROR", "ERROR"],
  ["DEBUG", "DEBUG"],
];

const LOOKS: Record<Level, [string, LucideIcon]> = {
  INFO: ["accent", Info],
  WARNING: ["risky", TriangleAlert],
  ERROR: ["invalid", CircleAlert],
  DEBUG: ["unknown", Bug],
};

/** How grave a log record is: word, shape and colour. */
export function LevelBadge({ level }: { level: Level }): ReactNode {
  const [tone, Icon] = LOOKS[level];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {level}
    </span>
  );
}
