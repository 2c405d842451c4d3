// What the dashboard tells of a new account's full checks.
import { cleanup, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { Credits, Subscription } from "../../src/api/types";
import FullChecks from "../../src/islands/full-checks";
import { queryClient } from "../../src/lib/query";
import { credits, freeSubscription } from "../data";
import { show } from "../render";
import { json, serve } from "../server";

const ENDS_AT = "2026-02-10T08:00:00Z";
const BEFORE = "2026-02-10T07:59:59Z";

interface Account {
  at?: string;
  plan?: Partial<Subscription>;
}

async function open(change: Partial<Credits>, { at = BEFORE, plan = {} }: Account = {}) {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(new Date(at));
  cleanup();
  queryClient.clear();
  serve({
    "GET /api/subscriptions/status": () => json(freeSubscription(plan)),
    "GET /api/credits": () => json(credits({ welcome_ends_at: ENDS_AT, ...change })),
  });
  const user = show(<FullChecks />);
  await vi.waitFor(() => {
    for (const key of ["subscription", "credits"]) expect(queryClient.getQueryData([key])).toBeTruthy();
  });
  return user;
}

const told = () => {
  const notice = screen.queryByRole("complementary", { name: "Your full checks" });
  return notice?.querySelector("p")?.textContent ?? null;
};

it.each<[string, Partial<Credits>, string, string | null]>([
  ["eleven are left", { welcome_credits: 11 }, BEFORE, null],
  [
    "ten are left",
    { welcome_credits: 10 },
    BEFORE,
    "These are your last 10 full checks, until 10 February 2026.",
  ],
  ["one is left", { welcome_credits: 1 }, BEFORE, "This is your last full check, until 10 February 2026."],
  ["all are used", { welcome_credits: 0 }, BEFORE, "Your full checks are used up."],
  ["their month has ended", { welcome_credits: 0 }, ENDS_AT, "Your full checks ended on 10 February 2026."],
  ["there never were any", { welcome_credits: 0, welcome_ends_at: null }, BEFORE, null],
])("[PEN-027] when %s the dashboard says so", async (_, change, at, text) => {
  await open(change, { at });
  expect(told()).toBe(text);
});

it.each<[string, Partial<Subscription>]>([
  ["on a plan or a trial", { subscription_plan: "growth" }],
  ["with pack credits", { pack_credits: 1 }],
])("[PEN-027] who has every check anyway, %s, is told nothing", async (_, plan) => {
  await open({ welcome_credits: 3 }, { plan });
  expect(told()).toBeNull();
});

it("[PEN-027] each is told until it is closed, and never again", async () => {
  const user = await open({ welcome_credits: 10 });
  await user.click(screen.getByRole("button", { name: "Do not tell me again" }));
  expect(told()).toBeNull();
  await open({ welcome_credits: 4 });
  expect(told()).toBeNull();
  await open({ welcome_credits: 0 });
  expect(told()).toBe("Your full checks are used up.");
  await user.click(screen.getByRole("button", { name: "Do not tell me again" }));
  await open({ welcome_credits: 0 }, { at: "2026-03-01T08:00:00Z" });
  expect(told()).toBeNull();
});

it("[PEN-027] another account at the same browser is told of its own", async () => {
  const user = await open({ welcome_credits: 10 });
  await user.click(screen.getByRole("button", { name: "Do not tell me again" }));
  await open({ welcome_credits: 10, welcome_ends_at: "2026-02-11T08:00:00Z" });
  expect(told()).toBe("These are your last 10 full checks, until 11 February 2026.");
});

it("[PEN-027] it leads to what brings every check", async () => {
  await open({ welcome_credits: 10 });
  const notice = within(screen.getByRole("complementary", { name: "Your full checks" }));
  expect(notice.getByRole("link", { name: "See plans and packs" }).getAttribute("href")).toBe(
    "/dashboard?tab=pricing",
  );
});
