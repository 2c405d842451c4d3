import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { IncidentsCard } from "../../src/features/adminpanel/incidents/incidents-card";
import { show } from "../render";
import { json, refusal, serve } from "../server";

const OUTAGE = {
  id: 7,
  kind: "incident",
  title: "Checks were slow",
  services: ["Validation API"],
  started_at: "2030-01-31T04:00:00Z",
  ended_at: null as string | null,
  note: "We are looking into it.",
};
const MOVE = {
  ...OUTAGE,
  id: 8,
  kind: "maintenance",
  title: "Move to another rack",
  started_at: "2199-02-01T03:00:00Z",
  ended_at: "2199-02-01T04:00:00Z",
  note: "",
};

function open(search: string) {
  history.replaceState(null, "", `/admin?tab=monitoring${search}`);
  const state = { ended_at: null as string | null, broken: false };
  const calls = serve({
    "GET /api/admin/incidents": () => json({ incidents: [{ ...OUTAGE, ended_at: state.ended_at }, MOVE] }),
    "PUT /api/admin/incidents/7": ({ body }) => {
      if (state.broken) return refusal(400, "BAD_INPUT", "The end must be after the start.");
      state.ended_at = (JSON.parse(body) as { ended_at: string | null }).ended_at;
      return json({ incident: { ...OUTAGE, ended_at: state.ended_at } });
    },
  });
  const ends = () =>
    calls.filter(({ method }) => method === "PUT").map(({ body }) => JSON.parse(body) as object);
  return { user: show(<IncidentsCard />), state, ends };
}

it("[look-16] an incident has an address, all its fields, and the next one a key away", async () => {
  const { user } = open("");
  await user.click(await screen.findByRole("button", { name: "Checks were slow" }));
  expect(location.search).toBe("?tab=monitoring&incident=7");
  const drawer = within(screen.getByRole("dialog", { name: "Checks were slow" }));
  expect(drawer.getByText("1 of 2")).toBeTruthy();
  expect(drawer.getByText("Validation API")).toBeTruthy();
  expect(drawer.getByText("We are looking into it.")).toBeTruthy();
  expect(drawer.getByRole("button", { name: "End Checks were slow now" })).toBeTruthy();
  await user.keyboard("j");
  const next = within(screen.getByRole("dialog", { name: "Move to another rack" }));
  expect(next.queryByRole("button", { name: /^End/ })).toBeNull();
  expect(next.getByText("Announced")).toBeTruthy();
  await user.click(next.getByRole("button", { name: "Edit" }));
  expect(await screen.findByRole("dialog", { name: "Edit Move to another rack" })).toBeTruthy();
});

it("[look-16] an address of one that is gone says so", async () => {
  open("&incident=99");
  const drawer = within(await screen.findByRole("dialog", { name: "Incident" }));
  expect(await drawer.findByText("This entry is not in the list any more.")).toBeTruthy();
});

it("[look-18] ending an incident can be undone, and a failure is one message", async () => {
  const { user, state, ends } = open("");
  await user.click(await screen.findByRole("button", { name: "End Checks were slow now" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /^End/ })).toBeNull());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("button", { name: "End Checks were slow now" })).toBeTruthy();
  expect(ends()).toEqual([{ ended_at: expect.stringMatching(/Z$/) as string }, { ended_at: null }]);
  state.broken = true;
  await user.click(screen.getByRole("button", { name: "End Checks were slow now" }));
  expect(await screen.findAllByText("The end must be after the start.")).toHaveLength(1);
});
