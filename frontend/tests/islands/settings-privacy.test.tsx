import { act, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { PrivacyTab } from "../../src/features/accounts/privacy/privacy-tab";
import { show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const preferences = { email_notifications: true, analytics: true, marketing: false };
const retention = { uploads_days: 30, results_days: 365, use_providers: true };

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/user/preferences": () => json(preferences),
    "GET /api/user/retention": () => json(retention),
    ...handlers,
  });
  return { calls, user: show(<PrivacyTab />) };
}

const press = (name: string | RegExp) => screen.getByRole("button", { name });
const sent = (calls: Call[], method: string) => calls.filter((call) => call.method === method);
const bodyOf = (call: Call | undefined) => JSON.parse(call?.body ?? "null") as unknown;

it("[SET-051] [SET-056] a preference is saved at once, and taken back when that fails", async () => {
  const answers = [json({ ...preferences, marketing: true }), refusal(500, "INTERNAL_ERROR", "")];
  const { calls, user } = open({
    "PUT /api/user/preferences": () => answers.shift() ?? json(preferences),
  });
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /^Marketing/ });
  const others = ["Email notifications", "Analytics"].map(
    (name) => screen.getByRole<HTMLInputElement>("checkbox", { name: new RegExp(`^${name}`) }).checked,
  );
  expect([...others, box.checked]).toEqual([true, true, false]);
  vi.useFakeTimers();
  await act(async () => {
    box.click();
    await Promise.resolve();
  });
  expect(box.checked).toBe(true); // at once: nothing else may be drawn before
  vi.useRealTimers();
  await vi.waitFor(() => expect(sent(calls, "PUT")).toHaveLength(1));
  await user.click(box);
  expect(await screen.findByText("Failed to save preferences")).toBeTruthy();
  expect(box.checked).toBe(true);
  expect(sent(calls, "PUT").map(bodyOf)).toEqual([{ marketing: true }, { marketing: false }]);
});

it("[VAL-044] [SET-060] retention and the in-house switch are saved; providers are named", async () => {
  const kept = { ...retention, uploads_days: 7 };
  const answers = [
    json(kept),
    json({ ...kept, use_providers: false }),
    refusal(400, "VALIDATION_ERROR", "Not now"),
  ];
  const { calls, user } = open({
    "PUT /api/user/retention": () => answers.shift() ?? json({}),
  });
  await user.selectOptions(await screen.findByLabelText("Keep uploaded files"), "7");
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: /^Keep everything with us/ });
  expect(box.checked).toBe(false);
  await user.click(box);
  const wanted = [{ uploads_days: 7 }, { use_providers: false }];
  await vi.waitFor(() => expect(sent(calls, "PUT").map(bodyOf)).toEqual(wanted));
  expect(box.checked).toBe(true);
  await user.click(box);
  expect(await screen.findByText("Not now")).toBeTruthy();
  expect(sent(calls, "PUT").map(bodyOf)).toEqual([...wanted, { use_providers: true }]);
  expect(box.checked).toBe(true); // no address goes out because a call failed
  expect(screen.getByText(/ZeroBounce, NeverBounce or Kickbox/)).toBeTruthy();
});

it.each([
  [() => new Response("{}"), "Data exported successfully!"],
  [() => Promise.reject(new TypeError("no network")), "Failed to export data. Please try again."],
])("[SET-052] [SET-055] the export says how it went", async (answer, words) => {
  const { user } = open({ "GET /api/user/export-data": answer });
  await user.click(press("Export my data"));
  expect(await screen.findByText(words)).toBeTruthy();
});

it.each([
  [() => json({ message: "", deleted_count: 3 }), "Validation history cleared successfully!"],
  [() => Promise.reject(new TypeError("no network")), "Failed to clear history. Please try again."],
])("[SET-053] [SET-054] the history is cleared after a question", async (answer, words) => {
  const { calls, user } = open({ "DELETE /api/user/validation-history": answer });
  await user.click(press("Clear validation history"));
  const question =
    "Are you sure you want to delete all your validation history? This action cannot be undone.";
  expect(screen.getByText(question)).toBeTruthy();
  expect(sent(calls, "DELETE")).toEqual([]);
  await user.click(press("Clear history"));
  expect(await screen.findByText(words)).toBeTruthy();
});
