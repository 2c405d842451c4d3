import type { ReactNode } from "react";

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

/** Keys one after the other, each by itself. */
export function Keys({ keys }: { keys: readonly string[] }): ReactNode {
  return (
    <span className="key-row">
      {keys.map((key) => (
        <kbd key={key}>{key === "Ctrl" && isMac ? "⌘" : key}</kbd>
      ))}
    </span>
  );
}
