import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { Webhooks } from "../../src/features/validation/webhooks/webhooks-card";
import { choose, show } from "../render";
import { json, refusal, serve, type Call, type Handler } from "../server";

const NOW = "2026-03-01T10:00:00Z";
const PATH = "/api/user/webhooks";
const URL = "https://shop.example.com/hooks";
const hook = {
  id: 7,
  url: URL,
  events: ["batch.completed"],
  is_active: true,
  test: false,
  disabled_reason: "",
};
const delivery = {
  id: "whd_1",
  event: "batch.completed",
  webhook_id: "msg_1",
  status: "failed",
  attempts: 10,
  response_status: 500,
  created_at: NOW,
  next_attempt_at: null,
};
const detail = {
  ...delivery,
  request_headers: { "webhook-id": "msg_1", "webhook-signature": "v1,abc" },
  request_body: '{"event":"batch.completed"}',
  attempts_log: [
    {
      time: NOW,
      status: 500,
      response_body: "Oh no",
      error: "The endpoint answered 500.",
      duration_ms: 1234,
    },
    {
      time: "2026-03-01T11:00:00Z",
      status: null,
      response_body: "",
      error: "No secure connection could be made.",
      duration_ms: 8,
    },
  ],
};
const me = (plan: string) => () => json({ name: "Alice", email: "a@b.com", subscription_plan: plan });

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/auth/me": me("growth"),
    [`GET ${PATH}`]: () => json({ webhooks: [hook] }),
    ...handlers,
  });
  return { calls, user: show(<Webhooks />) };
}

const press = (name: string | RegExp) => screen.getByRole("button", { name });
const find = (name: string | RegExp) => screen.findByRole("button", { name });
const sent = (calls: Call[], method: string) => calls.filter((call) => call.method === method);
const bodyOf = (call: Call | undefined) => JSON.parse(call?.body ?? "null") as unknown;

const NOT_IN_PLAN =
  "Live webhooks come with Growth, Pro and Enterprise. Endpoints of test mode are included in every plan.";
const INCLUDED = "Test endpoints are included, live ones come with Growth.";

it("[API-033] [DOC-054] below Growth live endpoints are listed as off with the reason, and can be deleted", async () => {
  const off = { ...hook, is_active: false, disabled_reason: NOT_IN_PLAN };
  const trial = { ...hook, id: 8, url: `${URL}/trial`, test: true };
  const { user } = open({
    "GET /api/auth/me": me("starter"),
    [`GET ${PATH}`]: () => json({ webhooks: [off, trial] }),
  });
  expect(await screen.findByText(INCLUDED)).toBeTruthy();
  expect(await screen.findByText(`Switched off: ${NOT_IN_PLAN}`)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Enable" })).toBeNull();
  expect(screen.queryByRole("button", { name: `Test ${URL}` })).toBeNull();
  expect(press(`Test ${URL}/trial`)).toBeTruthy();
  await user.click(await find(`More actions for ${URL}`));
  expect(await screen.findByRole("menuitem", { name: `Delete ${URL}` })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: `Edit ${URL}` })).toBeNull();
});

it("[API-033] on Free a test endpoint is added without being asked for the mode", async () => {
  const { calls, user } = open({
    "GET /api/auth/me": me("free"),
    [`GET ${PATH}`]: () => json({ webhooks: [] }),
    [`POST ${PATH}`]: () => json({ id: 8, secret: "whsec_abc" }, 201),
  });
  await screen.findByText(INCLUDED);
  await user.click(await find("Add test webhook"));
  const dialog = within(screen.getByRole("dialog", { name: "Add test webhook" }));
  expect(dialog.queryByRole("radio")).toBeNull();
  await user.type(dialog.getByLabelText("Address of your endpoint"), URL);
  await user.click(dialog.getByRole("button", { name: "Add webhook" }));
  expect((await screen.findByLabelText("Webhook secret")).textContent).toBe("whsec_abc");
  expect(bodyOf(sent(calls, "POST")[0])).toMatchObject({ test: true });
});

it("[API-032] an endpoint that a key made says which", async () => {
  const made = { ...hook, maker: "Alice", made_by_key: "Deployer" };
  open({ [`GET ${PATH}`]: () => json({ webhooks: [made, { ...made, id: 8, made_by_key: null }] }) });
  expect(await screen.findByText("Added by Alice with the key Deployer")).toBeTruthy();
  expect(screen.getByText("Added by Alice")).toBeTruthy();
});

it("[API-034] an example may be of any event that the endpoint hears of", async () => {
  const { calls, user } = open({
    [`GET ${PATH}`]: () => json({ webhooks: [{ ...hook, events: ["batch.completed", "credits.low"] }] }),
    [`POST ${PATH}/7/test`]: () =>
      json({ delivered: true, status_code: 200, message: "The endpoint answered 200." }),
  });
  await choose(user, URL, `Test an event ${URL}`);
  const dialog = within(screen.getByRole("dialog", { name: "Send an example" }));
  expect(dialog.getAllByRole("radio")).toHaveLength(2);
  await user.click(dialog.getByRole("radio", { name: /^credits\.low/ }));
  await user.click(dialog.getByRole("button", { name: "Send example" }));
  expect(await screen.findByText("The endpoint answered 200.")).toBeTruthy();
  expect(bodyOf(sent(calls, "POST")[0])).toEqual({ event: "credits.low" });
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("[DOC-055] a webhook is added with its events, and its secret shown once", async () => {
  const { calls, user } = open({
    [`GET ${PATH}`]: () => json({ webhooks: [] }),
    [`POST ${PATH}`]: () => json({ id: 8, secret: "whsec_abc" }, 201),
  });
  await user.click(await find("Add webhook"));
  const dialog = within(screen.getByRole("dialog", { name: "Add webhook" }));
  await user.click(dialog.getByRole("button", { name: "Add webhook" }));
  expect(dialog.getByText("Enter the address of your endpoint. It must begin with https://")).toBeTruthy();
  expect(sent(calls, "POST")).toEqual([]);
  await user.type(dialog.getByLabelText("Address of your endpoint"), ` ${URL} `);
  await user.click(dialog.getByLabelText(/^quota\.warning/));
  await user.click(dialog.getByRole("button", { name: "Add webhook" }));
  expect((await screen.findByLabelText("Webhook secret")).textContent).toBe("whsec_abc");
  expect(bodyOf(sent(calls, "POST")[0])).toEqual({
    url: URL,
    events: ["batch.completed", "quota.warning"],
    is_active: true,
    test: false,
  });
  await user.click(press("I have kept it"));
  expect(screen.queryByText("whsec_abc")).toBeNull();
});

it("[DOC-034] a webhook may be made for test mode, says so, and is not asked again", async () => {
  const { calls, user } = open({
    [`GET ${PATH}`]: () => json({ webhooks: [{ ...hook, test: true }] }),
    [`POST ${PATH}`]: () => json({ id: 8, secret: "whsec_abc" }, 201),
  });
  expect(await screen.findByText("Test", { selector: ".badge" })).toBeTruthy();
  await user.click(press("Add webhook"));
  const dialog = within(screen.getByRole("dialog", { name: "Add webhook" }));
  await user.type(dialog.getByLabelText("Address of your endpoint"), URL);
  await user.click(dialog.getByRole("radio", { name: /^Test/ }));
  await user.click(dialog.getByRole("button", { name: "Add webhook" }));
  await user.click(await find("I have kept it"));
  expect(bodyOf(sent(calls, "POST")[0])).toMatchObject({ test: true });
  await choose(user, URL, `Edit ${URL}`);
  expect(screen.queryByRole("radio")).toBeNull();
});

it("[DOC-055] an address that is refused says why, at its field", async () => {
  const detail = "The address must lead to a public host. This one leads to a private or reserved network.";
  const answer = () =>
    json({ detail, code: "INVALID_WEBHOOK_URL", request_id: "r", details: { field: "url" } }, 400);
  const { user } = open({ [`PUT ${PATH}/7`]: answer });
  await choose(user, URL, `Edit ${URL}`);
  await user.click(press("Save webhook"));
  expect(await screen.findByText(detail)).toBeTruthy();
  expect(screen.getByLabelText("Address of your endpoint").getAttribute("aria-invalid")).toBe("true");
});

it("a test says what came of it", async () => {
  let delivered = true;
  const { user } = open({
    [`POST ${PATH}/7/test`]: () =>
      delivered
        ? json({ delivered, status_code: 200, message: "The endpoint answered 200." })
        : json({ delivered, status_code: null, message: "No whole answer came within 15 seconds." }),
  });
  await user.click(await find(`Test ${URL}`));
  expect(await screen.findByText("The endpoint answered 200.")).toBeTruthy();
  delivered = false;
  await user.click(press(`Test ${URL}`));
  expect(await screen.findByText("No whole answer came within 15 seconds.")).toBeTruthy();
});

it("[DOC-057] a rotation says how long both secrets hold", async () => {
  const { user } = open({
    [`POST ${PATH}/7/rotate-secret`]: () => json({ secret: "whsec_new", old_secret_valid_until: NOW }),
  });
  await choose(user, URL, `Rotate secret ${URL}`);
  expect(screen.getByText(/For 24 hours every message is/)).toBeTruthy();
  await user.click(press("Rotate secret"));
  expect((await screen.findByLabelText("Webhook secret")).textContent).toBe("whsec_new");
  expect(screen.getByText(/Messages are signed with the old one too until/)).toBeTruthy();
});

it("[DOC-057] an endpoint that was disabled says why and is enabled again", async () => {
  const off = { ...hook, is_active: false, disabled_reason: "The endpoint answered 410 Gone." };
  const { calls, user } = open({
    [`GET ${PATH}`]: () => json({ webhooks: [off] }),
    [`PUT ${PATH}/7`]: () => json({ id: 7 }),
  });
  expect(await screen.findByText(/We switched it off\. The endpoint answered 410 Gone\./)).toBeTruthy();
  expect(screen.getByText("Disabled")).toBeTruthy();
  await user.click(press("Enable"));
  expect(bodyOf(sent(calls, "PUT")[0])).toEqual({ is_active: true });
});

it("deleting asks first", async () => {
  const { calls, user } = open({ [`DELETE ${PATH}/7`]: () => json({ message: "Webhook deleted" }) });
  await choose(user, URL, `Delete ${URL}`);
  expect(sent(calls, "DELETE")).toEqual([]);
  await user.click(press("Delete webhook"));
  expect(await screen.findByText("Webhook deleted")).toBeTruthy();
});

it("what cannot be loaded says so", async () => {
  open({ [`GET ${PATH}`]: () => refusal(400, "VALIDATION_ERROR", "") });
  expect(await screen.findByText("Failed to load webhooks")).toBeTruthy();
  expect(await find("Retry")).toBeTruthy();
});

describe("deliveries", () => {
  const LOG: Record<string, Handler> = {
    [`GET ${PATH}/7/deliveries`]: ({ query }) =>
      json({ deliveries: query.get("status") === "pending" ? [] : [delivery], next: null }),
    [`GET ${PATH}/7/deliveries/whd_1`]: () => json(detail),
  };

  it("[DOC-057] the log shows each with its state, and one with request, responses and times", async () => {
    const { user } = open(LOG);
    await choose(user, URL, `Deliveries ${URL}`);
    await user.click(await find(/batch\.completed.*10 attempts · answered 500.*Failed/));
    expect(await screen.findByText("The endpoint answered 500.")).toBeTruthy();
    for (const text of ["Oh no", "No secure connection could be made.", /webhook-signature: v1,abc/]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(screen.getByText(/1,234 ms/)).toBeTruthy();
    await user.click(press("All deliveries"));
    expect(await find(/10 attempts/)).toBeTruthy();
  });

  it("[look-14] an empty log sends a test", async () => {
    let sent = false;
    const { user } = open({
      [`GET ${PATH}/7/deliveries`]: () => json({ deliveries: sent ? [delivery] : [], next: null }),
      [`POST ${PATH}/7/test`]: () => {
        sent = true;
        return json({ delivered: true, message: "Delivered" });
      },
    });
    await choose(user, URL, `Deliveries ${URL}`);
    await screen.findByText("Nothing was sent yet");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: `Test ${URL}` }));
    expect(await find(/10 attempts/)).toBeTruthy();
  });

  it("[DOC-057] one is sent again, or all that failed", async () => {
    const { calls, user } = open({
      ...LOG,
      [`POST ${PATH}/7/replay-failed`]: () => json({ queued_count: 3, message: "3 deliveries queued again" }),
      [`POST ${PATH}/7/deliveries/whd_1/replay`]: () =>
        json({ delivery_id: "whd_1", message: "Delivery queued again" }),
    });
    await choose(user, URL, `Deliveries ${URL}`);
    await user.click(await find("Replay failed"));
    expect(await screen.findByText("3 deliveries queued again")).toBeTruthy();
    await user.click(press(/10 attempts/));
    await user.click(await find("Replay"));
    expect(await screen.findByText("Delivery queued again")).toBeTruthy();
    expect(sent(calls, "POST")).toHaveLength(2);
  });

  it("[DOC-057] nothing is replayed where nothing failed", async () => {
    const { user } = open({
      ...LOG,
      [`GET ${PATH}/7/deliveries`]: () =>
        json({ deliveries: [{ ...delivery, status: "delivered" }], next: null }),
    });
    await choose(user, URL, `Deliveries ${URL}`);
    await find(/10 attempts/);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Replay failed" }).disabled).toBe(true);
  });

  it("a filter that matches nothing can be cleared, and an empty log says what will be there", async () => {
    const { user } = open(LOG);
    await choose(user, URL, `Deliveries ${URL}`);
    await user.selectOptions(await screen.findByLabelText("State of the deliveries"), "pending");
    expect(await screen.findByText("No deliveries are pending")).toBeTruthy();
    await user.click(press("Clear filter"));
    expect(await find(/10 attempts/)).toBeTruthy();
  });

  it("a refused replay says why", async () => {
    const off = "This webhook is switched off. Enable it before you replay.";
    const { user } = open({
      ...LOG,
      [`POST ${PATH}/7/replay-failed`]: () => refusal(409, "WEBHOOK_OFF", off),
    });
    await choose(user, URL, `Deliveries ${URL}`);
    await user.click(await find("Replay failed"));
    expect(await screen.findByText(off)).toBeTruthy();
  });
});
