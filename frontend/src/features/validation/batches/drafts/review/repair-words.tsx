// What is said of repairs, and how a text is shown whose faults cannot be seen.
import type { ReactNode } from "react";

import type { RepairKind } from "../../../../../api/types";

const KIND_WORDS: Record<RepairKind, string> = {
  name: "Name",
  brackets: "Brackets",
  mailto: "mailto:",
  comment: "Comment",
  several: "Several in one cell",
  invisible: "Invisible characters",
  punctuation: "Punctuation",
  full_width: "Full-width characters",
  typing: "Typing error",
};

export function formatKind(kind: RepairKind): string {
  return KIND_WORDS[kind];
}

const HIDDEN = /([\u00A0\u00AD\u2007\u202F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+)/;

function nameCharacter(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text with the names of the characters in it that are not to be seen. */
export function SourceText({ text }: { text: string }): ReactNode {
  return text.split(HIDDEN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="flag">
        {Array.from(part, nameCharacter).join(" ")}
      </span>
    ),
  );
}
