// What a new key is, and what becomes of keys that leak.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { ApiKeys } from "../../src/features/accounts/keys/api-keys";
import { show } from "../render";
import { json, serve, type Call, type Handler } from "../server";

function open(handlers: Record<string, Handler>) {
  const calls = serve({
    "GET /api/user/api-keys": () => json({ keys: [] }),
    "GET /api/organisation/leaked-keys": () => json({ revoke_leaked_keys: true }),
    ...handlers,
  });
  return { calls, user: show(<ApiKeys />) };
}

const find = (name: string | RegExp) => screen.findByRole("button", { name });
const sent = (calls: Call[], method: string) => calls.filter((call) => call.method === method);
const bodyOf = (call: Call | undefined) => JSON.parse(call?.body ?? "null") as unknown;

it("[API-017] [API-031] a test key with the scope of webhooks says all that it is", async () => {
  const made = {
    id: 8,
    name: "Deployer",
    key: "ec_test_secret",
    prefix: "ec_test_se",
    mode: "test",
    scopes: ["read", "write", "webhooks"],
    expires_at: "2027-01-01T12:00:00Z",
    daily_credit_cap: null,
    allowed_ips: [],
  };
  const { calls, user } = open({ "POST /api/user/api-keys": () => json(made, 201) });
  await user.click(await find("Create API key"));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText("Name"), "Deployer");
  await user.click(dialog.getByRole("radio", { name: /^Test/ }));
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /^Webhooks/ }).checked).toBe(false);
  await user.click(dialog.getByRole("checkbox", { name: /^Webhooks/ }));
  await user.click(dialog.getByRole("button", { name: "Create key" }));
  await screen.findByLabelText("API key");
  expect(bodyOf(sent(calls, "POST")[0])).toMatchObject({
    scopes: ["read", "write", "webhooks"],
    test: true,
  });
  const [mode, may, ends, cap, from] = within(screen.getByRole("dialog")).getAllByRole("definition");
  expect([mode, may, cap, from].map((fact) => fact?.textContent)).toEqual([
    "Test",
    "read, write and webhooks",
    "no cap",
    "any",
  ]);
  expect(ends?.textContent).toMatch(/2027/);
});

it("[API-044] whether leaked keys are revoked is set at once", async () => {
  const { calls, user } = open({
    "PUT /api/organisation/leaked-keys": () => json({ revoke_leaked_keys: false }),
  });
  const box = await screen.findByRole<HTMLInputElement>("checkbox", {
    name: /^Revoke keys that are found/,
  });
  expect(box.checked).toBe(true);
  await user.click(box);
  expect(bodyOf(sent(calls, "PUT")[0])).toEqual({ revoke_leaked_keys: false });
  expect(box.checked).toBe(false);
});
