import { useState, type ReactNode } from "react";

import { CommandList } from "../features/palette/command-list";
import { KeyList } from "../features/palette/key-list";

/** Opened by a key or from the top bar: the palette, or the list of keys. */
export default function Palette({ mode }: { mode: "commands" | "keys" }): ReactNode {
  const [shown, setShown] = useState<typeof mode | null>(mode);
  if (shown === null) return null;
  const close = () => setShown(null);
  return shown === "keys" ? (
    <KeyList onClose={close} />
  ) : (
    <CommandList onClose={close} onKeys={() => setShown("keys")} />
  );
}
