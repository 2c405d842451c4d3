import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { RequestLog } from "../../src/features/accounts/activity/request-log";
import { show } from "../render";
import { json, serve, type Handler } from "../server";

const NOW = "2026-03-01T10:00:00Z";
const line = {
  request_id: "req_1",
  time: NOW,
  method: "POST",
  path: "/api/v1/validate/single",
  status: 403,
  duration_ms: 2,
  key_prefix: "ec_live_AbCd",
  deprecated: "",
};
const bodies = { error_code: "PERMISSION_DENIED", request_body: "", response_body: "" };

function openLine(changes: Partial<typeof line>, handlers: Record<string, Handler> = {}) {
  const call = { ...line, ...changes };
  const calls = serve({
    "GET /api/user/requests": () => json({ requests: [call], next: null }),
    "GET /api/user/requests/req_1": () => json({ ...call, ...bodies }),
    "GET /api/user/api-keys": () => json({ keys: [] }),
    ...handlers,
  });
  return { calls, user: show(<RequestLog />) };
}

it("[API-051] a call that used something deprecated leads to each entry of the changelog", async () => {
  openLine({ deprecated: "cursors-and-limits names-of-counts" });
  const marks = await screen.findAllByRole("link", { name: /^Deprecated: / });
  expect(
    marks.map((mark) => [mark.textContent, mark.getAttribute("aria-label"), mark.getAttribute("href")]),
  ).toEqual([
    ["Deprecated", "Deprecated: cursors and limits", "/changelog#cursors-and-limits"],
    ["Deprecated", "Deprecated: names of counts", "/changelog#names-of-counts"],
  ]);
});

it("[DOC-035] a refusal is explained, with the mended call to copy", async () => {
  const { user } = openLine(
    {},
    {
      "GET /api/user/requests/req_1/advice": () =>
        json({
          sentence: "This API key may not do this: it lacks the scope write.",
          explanation: { meaning: "The key lacks the scope.", remedy: "Send `Authorization`." },
          mended_call: { command: "curl https://x/y", notes: ["One.", "Two."], missing_scope: "write" },
        }),
    },
  );
  const write = vi.spyOn(navigator.clipboard, "writeText");
  await user.click(await screen.findByRole("button", { name: /^POST / }));
  const dialog = within(screen.getByRole("dialog"));
  expect(await dialog.findByText("The key lacks the scope.")).toBeTruthy();
  expect(dialog.getByText("This API key may not do this: it lacks the scope write.")).toBeTruthy();
  expect(dialog.getByText("Authorization").tagName).toBe("CODE");
  expect(dialog.getByText("One. Two.")).toBeTruthy();
  const link = dialog.getByRole("link", { name: "API keys" });
  expect(link.parentElement?.textContent).toBe(
    "First give the key ec_live_AbCd… the scope write under API keys.",
  );
  await user.click(dialog.getByRole("button", { name: "Copy mended call" }));
  expect(write).toHaveBeenCalledWith("curl https://x/y");
  await user.click(link);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("[DOC-035] a code that is not explained has its sentence alone, an answered call nothing", async () => {
  const { user } = openLine(
    {},
    {
      "GET /api/user/requests/req_1/advice": () =>
        json({ sentence: "Something new.", explanation: null, mended_call: null }),
    },
  );
  await user.click(await screen.findByRole("button", { name: /^POST / }));
  expect(await screen.findByText("Something new.")).toBeTruthy();
  expect(screen.queryByText("What it means")).toBeNull();
  expect(screen.queryByText("Mended call")).toBeNull();
});

it("[DOC-035] nothing is asked about a call that was answered", async () => {
  const { calls, user } = openLine({ status: 200 });
  await user.click(await screen.findByRole("button", { name: /^POST / }));
  expect(await screen.findByText("Response body")).toBeTruthy();
  expect(calls.filter(({ path }) => path.endsWith("/advice"))).toEqual([]);
});
