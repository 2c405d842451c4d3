import { useState, type ReactNode } from "react";

import { areSingleKeysOn, SINGLE_KEYS } from "../../lib/single-keys";
import { Dialog } from "../../ui/dialog";
import { Keys } from "./keys";

const ANY = [
  ["Search and commands", ["Ctrl", "K"]],
  ["Close what is open", ["Esc"]],
  ["Walk in the navigation and in groups of buttons", ["↑", "↓"]],
] as const;

const SINGLE = [
  ["Go to Validate", ["g", "v"]],
  ["Go to History", ["g", "h"]],
  ["Go to Analytics", ["g", "a"]],
  ["Go to Settings", ["g", "s"]],
  ["New check", ["n"]],
  ["Search on this page", ["/"]],
  ["Next and previous row, where one is open", ["j", "k"]],
  ["Export or download what this page shows", ["e"]],
  ["Light or dark", ["t"]],
  ["This list", ["?"]],
] as const;

type Line = readonly [what: string, keys: readonly string[]];

function Lines({ lines }: { lines: readonly Line[] }): ReactNode {
  return (
    <dl className="keys">
      {lines.map(([what, keys]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>
            <Keys keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Every key there is; single letters can be turned off here. */
export function KeyList({ onClose }: { onClose: () => void }): ReactNode {
  const [on, setOn] = useState(areSingleKeysOn);
  const turn = (next: boolean) => {
    localStorage.setItem(SINGLE_KEYS, next ? "on" : "off");
    setOn(next);
  };
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="stack-4">
        <Lines lines={ANY} />
        <label className="choice">
          <input
            type="checkbox"
            role="switch"
            aria-checked={on}
            checked={on}
            onChange={(event) => turn(event.target.checked)}
          />
          <span>
            Single keys{" "}
            <span className="muted small">
              One letter does something. Turn it off where letters come by speech or by accident. Kept in this
              browser.
            </span>
          </span>
        </label>
        <div className={on ? undefined : "keys-off"}>
          <Lines lines={SINGLE} />
        </div>
      </div>
    </Dialog>
  );
}
