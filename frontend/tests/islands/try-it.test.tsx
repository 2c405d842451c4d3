import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";

import type { Call } from "../../src/features/public/reference/api-call";
import TryIt from "../../src/islands/try-it";
import { showAlone } from "../render";
import { json, serve, type Handler } from "../server";

const KEY = "ec_test_abcdefgh";
const single: Call = {
  id: "validate_single",
  title: "Check one address",
  method: "POST",
  path: "/api/v1/validate/single",
  fields: [],
  body: '{\n  "email": "valid@test.emailcheck.app"\n}',
};
const results: Call = {
  id: "validate_batch_results",
  title: "Results",
  method: "GET",
  path: "/api/v1/validate/batch/{batch_id}/results",
  fields: [
    { name: "batch_id", place: "path", required: true, values: [], file: false },
    { name: "category", place: "query", required: false, values: ["valid", "invalid"], file: false },
  ],
  body: null,
};
const upload: Call = {
  id: "validate_upload",
  title: "Check a file",
  method: "POST",
  path: "/api/v1/validate/upload",
  fields: [
    { name: "file", place: "form", required: true, values: [], file: true },
    { name: "email_column", place: "form", required: false, values: [], file: false },
  ],
  body: null,
};
const SINGLE = "POST /api/v1/validate/single";
const answer = () =>
  json({ email: "valid@test.emailcheck.app", test: true }, 200, {
    "X-Request-Id": "req_1",
    RateLimit: '"test";r=99;t=60',
    "X-Credits-Remaining": "100000",
  });

beforeEach(() => sessionStorage.clear());

function open(call: Call, handlers: Record<string, Handler> = {}, signedIn = false) {
  const calls = serve(handlers);
  return {
    calls,
    user: showAlone(<TryIt calls={[single, results, upload]} signedIn={signedIn} call={call.id} />),
  };
}

it("[DOC-012] [DOC-034] sends with a test key alone and shows status, headers and body", async () => {
  const { calls, user } = open(single, { [SINGLE]: answer });
  await user.type(screen.getByLabelText("Test key"), KEY);
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findByRole("status")).textContent).toMatch(/^200/);
  expect(screen.getByText("req_1")).toBeTruthy();
  expect(screen.getByText("100000")).toBeTruthy();
  expect(screen.getByLabelText("Body of the answer").textContent).toContain('"test": true');
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([SINGLE]);
  expect(calls[0]?.headers.get("Authorization")).toBe(`Bearer ${KEY}`);
  expect(JSON.parse(calls[0]?.body ?? "")).toEqual({ email: "valid@test.emailcheck.app" });
  expect(screen.getByLabelText("As a command").textContent).toContain(`Authorization: Bearer ${KEY}`);
  expect(sessionStorage.getItem("try_it_key")).toBe(KEY);
  expect(localStorage.getItem("try_it_key")).toBeNull();
});

it("[DOC-012] refuses a live key, keeps it nowhere, and sends nothing", async () => {
  const { calls, user } = open(single, { [SINGLE]: answer });
  await user.type(screen.getByLabelText("Test key"), "ec_live_abcdefgh");
  expect(screen.getByText(/This is a live key\. The console takes test keys alone/)).toBeTruthy();
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect(calls).toEqual([]);
  expect(sessionStorage.getItem("try_it_key")).toBeNull();
  expect(screen.getByLabelText("As a command").textContent).not.toContain("ec_live_");
});

it("[DOC-012] makes a test key for whoever is signed in", async () => {
  localStorage.setItem("token", "t");
  const made = () => json({ id: 1, key: KEY }, 201);
  const { calls, user } = open(single, { "POST /api/user/api-keys": made, [SINGLE]: answer }, true);
  await user.click(screen.getByRole("button", { name: "Create a test key" }));
  expect(await screen.findByDisplayValue(KEY)).toBeTruthy();
  expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({ name: "API reference", test: true });
  await user.click(screen.getByLabelText("Body (JSON)"));
  await user.keyboard("{Control>}{Enter}{/Control}");
  expect((await screen.findByRole("status")).textContent).toMatch(/^200/);
  localStorage.clear();
});

it("[DOC-012] asks for what is missing, and fills in the list that was made before", async () => {
  sessionStorage.setItem("try_it_key", KEY);
  const path = "/api/v1/validate/batch/bat_1/results";
  const { calls, user } = open(results, { [`GET ${path}`]: () => json({ results: [], next: null }) });
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(screen.getByRole("alert").textContent).toBe("Fill in batch_id.");
  expect(calls).toEqual([]);
  await user.type(screen.getByLabelText("batch_id"), "bat_1");
  await user.selectOptions(screen.getByLabelText(/^category/), "invalid");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findByRole("status")).textContent).toMatch(/^200/);
  expect([calls[0]?.path, calls[0]?.query.get("category")]).toEqual([path, "invalid"]);
});

it("[DOC-012] sends a file as a form, and keeps the id of its list for the calls that follow", async () => {
  sessionStorage.setItem("try_it_key", KEY);
  const { calls, user } = open(upload, {
    "POST /api/v1/validate/upload": () => json({ batch_id: "bat_9", status: "processing" }, 202),
  });
  await user.upload(screen.getByLabelText("file"), new File(["a@b.com"], "mine.csv", { type: "text/csv" }));
  expect(screen.getByLabelText("As a command").textContent).toContain("-F 'file=@mine.csv'");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findByRole("status")).textContent).toMatch(/^202/);
  expect(calls[0]?.headers.get("Content-Type")).toMatch(/^multipart\/form-data/);
  expect(sessionStorage.getItem("try_it_batch_id")).toBe("bat_9");
});

it("says when no answer comes", async () => {
  sessionStorage.setItem("try_it_key", KEY);
  const { user } = open(single);
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/^No answer came/);
});
