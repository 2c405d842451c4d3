import { screen } from "@testing-library/react";
import { expect, it } from "vitest";

import type { Stage } from "../../../../../src/features/validation/batches/progress/list-stage";
import { StageTrace } from "../../../../../src/features/validation/batches/progress/stage-trace";
import { show } from "../../../../render";

it.each<[Stage, string[]]>([
  ["queued", ["Queued: now", "Checking: to come", "Writing: to come", "Finished: to come"]],
  ["waiting", ["Queued: done", "Waiting: now", "Writing: to come", "Finished: to come"]],
  ["settling", ["Queued: done", "Checking: done", "Writing: now", "Finished: to come"]],
  ["finished", ["Queued: done", "Checking: done", "Writing: done", "Finished: done"]],
  ["failed", ["Queued: done", "Failed: ended", "Writing: to come", "Finished: to come"]],
])("[look-02] the trace of a list that is %s", (stage, stops) => {
  show(<StageTrace stage={stage} />);
  expect(screen.getByRole("list", { name: "Stage of the list" }).children).toHaveLength(4);
  expect(screen.getAllByRole("listitem").map((stop) => stop.textContent)).toEqual(stops);
});

it("[look-02] there is none of a stage that is unfamiliar", () => {
  show(<StageTrace stage="unfamiliar" />);
  expect(screen.queryByRole("list")).toBeNull();
});
