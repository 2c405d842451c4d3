import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";

import Tour from "../../src/islands/tour";
import { pass, show } from "../render";
import { json, serve } from "../server";

const done = () => localStorage.getItem("onboarding_completed");

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

function start(again = false) {
  const calls = serve({ "PUT /api/user/onboarding": () => json({ completed: true }) });
  return { calls, user: show(<Tour again={again} unknown_costs="Basic checks cost, unknown too." />) };
}

it("[DASH-016] [LIM-015] comes one second after the page", async () => {
  start();
  await pass(900);
  expect(screen.queryByRole("dialog")).toBeNull();
  await pass(200);
  expect(await screen.findByRole("dialog", { name: "Welcome" })).toBeTruthy();
});

it("[DASH-014] [DASH-015] leads through six steps, then both browser and account know", async () => {
  const { calls, user } = start();
  await pass(1_100);
  const titles: string[] = [];
  await screen.findByRole("dialog");
  for (let step = 0; step < 5; step += 1) {
    titles.push(screen.getByRole("dialog").querySelector("h2")?.textContent ?? "");
    expect(screen.getByRole("button", { name: "Skip Tour" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Next" }));
  }
  titles.push(screen.getByRole("dialog").querySelector("h2")?.textContent ?? "");
  expect(titles).toEqual(["Welcome", "Credits", "Validate emails", "Analytics", "Account settings", "Ready"]);
  expect(done()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Get Started" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(done()).toBe("true");
  await vi.waitFor(() => expect(calls.map(({ body }) => body)).toEqual(['{"completed":true}']));
});

it("[PEN-025] says of credits what the account's checks cost, in the words of the server", async () => {
  const { user } = start();
  await pass(1_100);
  await user.click(await screen.findByRole("button", { name: "Next" }));
  expect(screen.getByText(/^Basic checks cost, unknown too\. What is repeated/)).toBeTruthy();
});

it("[DASH-016] skipped counts as done", async () => {
  const { user } = start();
  await pass(1_100);
  await user.click(await screen.findByRole("button", { name: "Skip Tour" }));
  expect(done()).toBe("true");
});

it("[DASH-016] stays away where it was seen, unless it is asked for", async () => {
  localStorage.setItem("onboarding_completed", "true");
  start();
  await pass(3_000);
  expect(screen.queryByRole("dialog")).toBeNull();
  start(true);
  await pass(1_100);
  expect(await screen.findByRole("dialog", { name: "Welcome" })).toBeTruthy();
});
