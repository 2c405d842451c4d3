import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import type { EgressAddress, MailRoute } from "../../src/api/types";
import { RoutesCard } from "../../src/features/adminpanel/monitoring/routes-card";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const PATH = "/api/monitoring/routes";
const FIRST: EgressAddress = {
  id: 1,
  name: "source address 203.0.113.7",
  address: "203.0.113.7",
  helo: "out7.example.com",
  state: "active",
  configured: true,
  last: false,
  probes_minute: 1_260,
  added_at: "2026-11-01T09:00:00Z",
  warms_since: null,
  note: null,
  changed_at: null,
};
const SECOND: EgressAddress = {
  ...FIRST,
  id: 2,
  name: "proxy 2",
  address: "socks5:out@proxy.example.com:1080",
  helo: "out8.example.com",
  state: "resting",
  warms_since: "2026-11-22T09:00:00Z",
  note: "Told off by Yahoo",
  changed_at: "2026-11-23T09:00:00Z",
};
const YAHOO: MailRoute = {
  route: "proxy 2",
  operator: "yahoo",
  operator_name: "Yahoo",
  egress_id: 2,
  state: "backing_off",
  probes_minute: 120,
  rate_limit: 240,
  sessions_limit: 1,
  warm_up: { day: 2, days: 4, share: 0.2 },
  probes_hour: 9_000,
  refusals_hour: 3,
  probes_day: 20_000,
  refusals_day: 4,
  last_refusal: "421 4.7.0 [TSS04] deferred",
  refused_at: "2026-11-23T09:00:00Z",
  next_attempt_at: "2026-11-23T09:30:00Z",
};
const OTHERS: MailRoute = {
  ...YAHOO,
  operator: "other mail hosts",
  operator_name: "Other mail hosts",
  state: "working",
  rate_limit: null,
  sessions_limit: null,
  warm_up: null,
  last_refusal: null,
  refused_at: null,
  next_attempt_at: null,
};

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    [`GET ${PATH}`]: () => json({ routes: [YAHOO, OTHERS], egress: [FIRST, SECOND] }),
    ...handlers,
  });
  return { calls, user: show(<RoutesCard />) };
}

it("[SCA-012] shows each pair with its rate, rest, complaints and warm-up", async () => {
  open();
  const yahoo = await screen.findByRole("row", { name: "Yahoo by proxy 2" });
  expect(yahoo.textContent).toContain("Backing offRests until");
  expect(yahoo.textContent).toContain("Warm-up: day 2 of 4, 20%");
  expect(yahoo.textContent).toContain(
    "120 of 240Up to 1 sessionHour9,000 / 3Day20,000 / 4421 4.7.0 [TSS04] deferred",
  );
  const meter = within(yahoo).getByRole("progressbar", { name: "Rate used, Yahoo by proxy 2" });
  expect(meter.getAttribute("aria-valuenow")).toBe("50");
  const others = screen.getByRole("row", { name: "Other mail hosts by proxy 2" });
  expect(others.textContent).toBe(
    "Other mail hostsproxy 2Working120Sessions by hostHour9,000 / 3Day20,000 / 4–",
  );
});

it("[SCA-013] shows each egress address with its name, state, reason and warm-up", async () => {
  open();
  const first = await screen.findByRole("row", { name: FIRST.name });
  expect(first.textContent).toContain("203.0.113.7HELO out7.example.comActiveWarm1,260RestDrainRemove");
  const second = screen.getByRole("row", { name: "proxy 2" });
  expect(second.textContent).toContain("HELO out8.example.comRestingTold off by Yahoo ·");
  expect(within(second).getByRole("button", { name: "Resume proxy 2" })).toBeTruthy();
  expect(within(second).queryByRole("button", { name: "Rest proxy 2" })).toBeNull();
});

it("[SCA-013] an address that is configured no more is shown as removed, without buttons", async () => {
  open({ [`GET ${PATH}`]: () => json({ routes: [], egress: [{ ...FIRST, configured: false }] }) });
  const row = await screen.findByRole("row", { name: FIRST.name });
  expect(row.textContent).toContain("RemovedNo longer among VERIFIER_ROUTES");
  expect(within(row).queryAllByRole("button")).toEqual([]);
  expect(screen.getByText("No mail operator was asked in the last day.")).toBeTruthy();
});

it("[SCA-013] asks for a reason before it drains an address, and says why that is refused", async () => {
  const words = "This is the last egress address that works.";
  let refuses = true;
  const { user, calls } = open({
    "POST /api/monitoring/egress/1/drain": () =>
      refuses ? refusal(409, "EGRESS_LAST", words) : json({ egress: FIRST }),
  });
  await user.click(await screen.findByRole("button", { name: `Drain ${FIRST.name}` }));
  const dialog = within(screen.getByRole("dialog", { name: `Drain ${FIRST.name}?` }));
  await user.click(dialog.getByRole("button", { name: "Drain" }));
  expect(await dialog.findByText("Say why.")).toBeTruthy();
  expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  await user.type(dialog.getByRole("textbox", { name: "Reason" }), "Moves house");
  await user.click(dialog.getByRole("button", { name: "Drain" }));
  expect(await dialog.findByText(words)).toBeTruthy();
  refuses = false;
  await user.click(dialog.getByRole("button", { name: "Drain" }));
  expect(await screen.findByText(`${FIRST.name} is being drained`)).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(calls.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    '{"reason":"Moves house"}',
    '{"reason":"Moves house"}',
  ]);
});

it("[SCA-012] says that there is no address yet", async () => {
  open({ [`GET ${PATH}`]: () => json({ routes: [], egress: [] }) });
  expect(await screen.findByText("No egress address yet")).toBeTruthy();
});

it("[SCA-012] says that routes could not be loaded", async () => {
  open({ [`GET ${PATH}`]: () => refusal(418, "X", "") });
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to load mail routes");
});
