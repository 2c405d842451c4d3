// The first hour of a developer: what is done is ticked, what is missing is offered, and all of it fits into a line.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { FirstHour } from "../../src/features/validation/first-hour/first-hour";
import { show } from "../render";
import { json, serve } from "../server";

const AT = "2026-11-01T12:00:00Z";
const NOTHING = { key: null, call: null, webhook: null, list: null };

function open(...answers: object[]) {
  const left = [...answers];
  const calls = serve({
    "GET /api/user/first-hour": () => json(left.length > 1 ? left.shift() : left[0]),
  });
  return { calls, user: show(<FirstHour />) };
}

const findStep = async (title: string) => {
  const item = (await screen.findByRole("heading", { name: title })).closest("li");
  return within(item as HTMLElement);
};

it("[SDK first hour] five steps in their order, with the commands and without a tick", async () => {
  open(NOTHING);
  await screen.findByRole("heading", { name: "3. First call" });
  expect(screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    "1. Read the documentation",
    "2. Make a key",
    "3. First call",
    "4. First webhook",
    "5. First list",
  ]);
  expect(screen.getByRole("status").textContent).toBe("0 of 4 seen");
  expect(screen.queryByText("Done")).toBeNull();
  expect((await findStep("3. First call")).getByText(/^curl/).textContent).toBe(
    [
      `curl ${location.origin}/api/v1/validate/single \\`,
      '  -H "Authorization: Bearer $EMAILCHECK_KEY" \\',
      `  -H "Content-Type: application/json" -d '{"email":"valid@test.emailcheck.app"}'`,
    ].join("\n"),
  );
});

it("[SDK first hour] a test key is suggested", async () => {
  const { user } = open(NOTHING);
  await user.click(await screen.findByRole("button", { name: "Make a test key" }));
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /^Test/ }).checked).toBe(true);
});

it("[SDK first hour] a step that was seen has a tick with its time, and nothing to do", async () => {
  open({ ...NOTHING, key: AT });
  const step = await findStep("2. Make a key");
  expect(step.getByText("Done")).toBeTruthy();
  expect(step.getByRole("time").getAttribute("datetime")).toBe(AT);
  expect(step.queryByRole("button")).toBeNull();
  expect((await findStep("3. First call")).getByText("Not seen yet")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("1 of 4 seen");
});

it("[SDK first hour] it asks again while a step is missing, and is one line when none is", async () => {
  const { calls } = open(
    { key: AT, call: AT, webhook: AT, list: null },
    { key: AT, call: AT, webhook: AT, list: AT },
  );
  await screen.findByRole("heading", { name: "5. First list" });
  await screen.findByRole("heading", { name: "First hour: done" }, { timeout: 8_000 });
  expect(screen.queryByRole("list")).toBeNull();
  expect(calls).toHaveLength(2);
}, 10_000);
