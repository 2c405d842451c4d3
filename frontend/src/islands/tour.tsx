import { Suspense, useEffect, useState, type ReactNode } from "react";

import { api } from "../lib/client";
import { lazyPart } from "../ui/lazy-part";

// Most visitors have seen it: its code comes when it is shown.
const Steps = lazyPart(async () => (await import("../features/accounts/profile/tour-steps")).TourSteps);

const DONE = "onboarding_completed";
const DELAY_MS = 1_000;

function finishTour(): void {
  localStorage.setItem(DONE, "true");
  api.PUT("/api/user/onboarding", { body: { completed: true } }).catch((error: unknown) => {
    console.warn("The account does not know that the tour is done", error);
  });
}

interface TourProps {
  /** The tour was asked for. */
  again?: boolean;
  /** What the account's checks cost where the answer is unknown. */
  unknown_costs: string;
}

/** Six steps through the product, a second after the page has loaded, until they were seen or skipped. */
export default function Tour({ again = false, unknown_costs }: TourProps): ReactNode {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!again && localStorage.getItem(DONE) !== null) return;
    const timer = setTimeout(() => setOpen(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [again]);
  if (!open) return null;
  const leave = () => {
    setOpen(false);
    finishTour();
  };
  return (
    <Suspense>
      <Steps unknownCosts={unknown_costs} onLeave={leave} />
    </Suspense>
  );
}
