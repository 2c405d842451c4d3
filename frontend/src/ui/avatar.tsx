import type { ReactNode } from "react";

/** The first letters of the first and last word of a name. */
export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => Array.from(word ?? "")[0]?.toUpperCase() ?? "").join("");
}

/** A picture made of initials; the name stands beside it. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }): ReactNode {
  return (
    <span className={large ? "avatar avatar-large" : "avatar"} aria-hidden="true">
      {getInitials(name) || "?"}
    </span>
  );
}
