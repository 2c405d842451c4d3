import { useState, type ReactNode } from "react";

import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

const STEPS: readonly (readonly [string, string])[] = [
  [
    "Welcome",
    "EmailCheck tells you which addresses are safe to send to, and shows why. This takes a minute.",
  ],
  [
    "Credits",
    "One credit checks one address. What stays unknown and what is repeated in a list costs nothing. Your credits are at the top right.",
  ],
  [
    "Validate emails",
    "Type one address, paste a list or upload a file. Every verdict comes with its evidence, down to the mail server's reply.",
  ],
  [
    "Analytics",
    "History keeps every list with its counts by category. Export all of it, or only what is safe to send.",
  ],
  [
    "Account settings",
    "Under Settings you find your profile, API keys, two-factor sign-in, open sessions and privacy.",
  ],
  ["Ready", "That is all. Start with one address or a list of your own."],
];

/** The six steps; leaving in any way counts as done. */
export default function Steps({ onLeave }: { onLeave: () => void }): ReactNode {
  const [at, setAt] = useState(0);
  const [title, text] = STEPS[at] ?? ["", ""];
  const last = at === STEPS.length - 1;
  const actions = (
    <>
      {last ? null : (
        <Button kind="quiet" onClick={onLeave}>
          Skip Tour
        </Button>
      )}
      <Button kind="primary" onClick={last ? onLeave : () => setAt(at + 1)}>
        {last ? "Get Started" : "Next"}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onLeave} actions={actions} closable={false}>
      <div className="tour" aria-live="polite">
        <p className="muted small">
          Step {at + 1} of {STEPS.length}
        </p>
        <p>{text}</p>
        <div className="tour-dots" aria-hidden="true">
          {STEPS.map(([name], index) => (
            <span key={name} className={index <= at ? "tour-dot tour-dot-done" : "tour-dot"} />
          ))}
        </div>
      </div>
    </Dialog>
  );
}
