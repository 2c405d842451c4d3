import Bug from "lucide-react/icons/bug";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { LogLine } from "../../../api/types";
import { Badge, type Look } from "../../../ui/badge";

type Level = LogLine["level"];

export const LEVELS: readonly (readonly [Level | "", string])[] = [
  ["", "All levels"],
  ["INFO", "INFO"],
  ["WARNING", "WARNING"],
  ["ERROR", "ERROR"],
  ["DEBUG", "DEBUG"],
];

const LOOKS: Record<Level, Look> = {
  INFO: ["INFO", "plain", Info],
  WARNING: ["WARNING", "plain", TriangleAlert],
  ERROR: ["ERROR", "problem", CircleAlert],
  DEBUG: ["DEBUG", "plain", Bug],
};

/** How grave a log record is: word, shape and colour. */
export function LevelBadge({ level }: { level: Level }): ReactNode {
  return <Badge look={LOOKS[level]} />;
}
