import { useState, type ReactNode } from "react";

import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";

type Step = readonly [title: string, text: string];

const listSteps = (unknownCosts: string): readonly Step[] => [
  [
    "Welcome",
    "EmailCheck tells you which addresses are safe to send to, and shows why. This takes a minute.",
  ],
  [
    "Credits",
    `${unknownCosts} What is repeated in a list is checked once. Your credits are at the top right.`,
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

interface TourStepsProps {
  /** What the account's checks cost, in a sentence. */
  unknownCosts: string;
  onLeave: () => void;
}

/** The six steps; leaving in any way counts as done. */
export function TourSteps({ unknownCosts, onLeave }: TourStepsProps): ReactNode {
  const [at, setAt] = useState(0);
  const steps = listSteps(unknownCosts);
  const [title, text] = steps[at] ?? ["", ""];
  const last = at === steps.length - 1;
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
          Step {at + 1} of {steps.length}
        </p>
        <p>{text}</p>
        <div className="tour-dots" aria-hidden="true">
          {steps.map(([name], index) => (
            <span key={name} className={index <= at ? "tour-dot tour-dot-done" : "tour-dot"} />
          ))}
        </div>
      </div>
    </Dialog>
  );
}
