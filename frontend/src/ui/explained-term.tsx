import { useEffect, useId, useRef, useState, type ReactNode, type ToggleEvent } from "react";

import type { TermName } from "../lib/terms";
import terms from "../lib/terms.json";

/** While it is shown, Escape closes it and nothing else: not the dialog around it. */
function useEscape(shown: boolean, hide: () => void): void {
  useEffect(() => {
    if (!shown) return;
    const leave = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      hide();
    };
    addEventListener("keydown", leave, { capture: true });
    return () => removeEventListener("keydown", leave, { capture: true });
  }, [shown, hide]);
}

function useExplanation() {
  const box = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(false);
  const toggle = (show: boolean) => {
    box.current?.togglePopover(show);
  };
  useEscape(shown, () => toggle(false));
  return { box, toggle, onToggle: ({ newState }: ToggleEvent) => setShown(newState === "open") };
}

/**
 * A word with its explanation: under the pointer, with the focus of the keyboard, and when it is pressed. Escape, a
 * press elsewhere and leaving it hide it.
 */
export function ExplainedTerm({ name, children }: { name: TermName; children: ReactNode }): ReactNode {
  const id = useId();
  const { box, toggle, onToggle } = useExplanation();
  const { word, meaning, example } = terms[name];
  return (
    <span
      className="term"
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && toggle(true)}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && toggle(false)}
      onFocus={({ target }) => target.matches(":focus-visible") && toggle(true)}
      onBlur={() => toggle(false)}
    >
      <button type="button" aria-describedby={id} popoverTarget={id} popoverTargetAction="show">
        {children}
      </button>
      <span id={id} ref={box} popover="auto" role="tooltip" className="explanation" onToggle={onToggle}>
        <strong>{word}</strong> {meaning} <span className="muted">For example: {example}</span>
      </span>
    </span>
  );
}
