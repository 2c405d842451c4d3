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
  const note = ({ newState }: ToggleEvent) => setShown(newState === "open");
  return { box, shown, toggle, note };
}

/**
 * A word with its explanation: under the pointer, with the focus of the keyboard, and when it is pressed. Escape, a
 * press elsewhere and leaving it hide it. While it is shown it describes the word to screen readers.
 */
export function ExplainedTerm({ name, children }: { name: TermName; children: ReactNode }): ReactNode {
  const id = useId();
  const { box, shown, toggle, note } = useExplanation();
  const { word, meaning, example } = terms[name];
  const forExample = `For example: ${example}`;
  return (
    <span
      className="term"
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && toggle(true)}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && toggle(false)}
      onFocus={({ target }) => target.matches(":focus-visible") && toggle(true)}
      onBlur={() => toggle(false)}
    >
      <button
        type="button"
        aria-describedby={shown ? id : undefined}
        popoverTarget={id}
        popoverTargetAction="show"
      >
        {children}
      </button>
      <span id={id} ref={box} popover="auto" className="explanation" onBeforeToggle={note}>
        {shown ? (
          <>
            <strong>{word}</strong>: {meaning} <span className="muted">{forExample}</span>
          </>
        ) : null}
      </span>
    </span>
  );
}
