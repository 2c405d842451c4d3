import type { ReactNode } from "react";

import { Trace, type Stop } from "../../../../ui/trace";
import type { Stage } from "./list-stage";

/** The way of every list. What it waits for, or what ends it early, stands in the place of Checking. */
const WAY = ["Queued", "Checking", "Writing", "Finished"] as const;

type Reached = Stop & { place: number };

const REACHED: Record<Stage, Reached | null> = {
  queued: { place: 0, name: "Queued", state: "now" },
  running: { place: 1, name: "Checking", state: "now" },
  waiting: { place: 1, name: "Waiting", state: "now" },
  settling: { place: 2, name: "Writing", state: "now" },
  finished: { place: 3, name: "Finished", state: "yes", words: "done" },
  paused: { place: 1, name: "Paused", state: "silent", words: "now" },
  cancelled: { place: 1, name: "Cancelled", state: "silent", words: "ended" },
  failed: { place: 1, name: "Failed", state: "refused", words: "ended" },
  unfamiliar: null,
};

/** How far a list got, as the trace of its stages; none of a stage that this page does not know. */
export function StageTrace({ stage }: { stage: Stage }): ReactNode {
  const reached = REACHED[stage];
  if (!reached) return null;
  const stops = WAY.map((name, place): Stop => {
    if (place === reached.place) return reached;
    return place < reached.place
      ? { name, state: "yes", words: "done" }
      : { name, state: "unasked", words: "to come" };
  });
  return <Trace stops={stops} tone={stage === "failed" ? "problem" : "plain"} label="Stage of the list" />;
}
