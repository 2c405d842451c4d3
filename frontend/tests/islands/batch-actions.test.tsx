import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { BatchDetail } from "../../src/api/types";
import Results from "../../src/islands/results";
import { queryClient } from "../../src/lib/query";
import { batchDetail, resultRow } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

function open(change: Partial<BatchDetail>, others: Record<string, Handler> = {}) {
  queryClient.clear();
  const calls = serve({
    "GET /api/validate/batch/b1": () => json(batchDetail(change)),
    "GET /api/validate/batch/b1/results": () => json({ results: [], total: 0, next_cursor: null }),
    ...others,
  });
  return { calls, user: show(<Results batch_id="b1" />) };
}

const sent = (calls: { method: string; path: string; body: string }[]) =>
  calls.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body]);

it("[VAL-047] offers a free second look at the unknown addresses, named and asked for", async () => {
  const { calls, user } = open(
    { unknown_count: 3 },
    {
      "POST /api/validate/batch/b1/recheck": () =>
        json({ status: "queued", rechecking: 3, message: "Re-checking 3 unknown addresses" }),
    },
  );
  await user.click(await screen.findByRole("button", { name: "Re-check unknown" }));
  const asked = within(screen.getByRole("dialog", { name: "Re-check unknown addresses?" }));
  expect(
    asked.getByText(
      "3 unknown addresses will be checked again. This is free, and possible once for each batch.",
    ),
  ).toBeTruthy();
  await user.click(asked.getByRole("button", { name: "Re-check unknown" }));
  expect(await screen.findByText("Re-checking 3 unknown addresses")).toBeTruthy();
  expect(sent(calls)).toEqual([["POST", "/api/validate/batch/b1/recheck", ""]]);
});

it.each<[string, Partial<BatchDetail>]>([
  ["was used", { rechecked_at: "2025-03-02T10:00:00Z" }],
  ["has nothing to look at", { unknown_count: 0 }],
  ["comes before the end", { status: "processing" }],
  ["comes after the results are gone", { expired_at: "2026-03-02T10:00:00Z" }],
])("[VAL-047] offers no second look that %s", async (_, change) => {
  open(change);
  await screen.findByRole("button", { name: "Rename or keep longer" });
  expect(screen.queryByRole("button", { name: "Re-check unknown" })).toBeNull();
});

it("[VAL-047] marks the rows that were looked at again", async () => {
  const again = resultRow({ id: "2", email: "ben@company.com", rechecked_at: "2025-03-02T10:00:00Z" });
  const results = [resultRow(), again];
  open({}, { "GET /api/validate/batch/b1/results": () => json({ results, total: 2, next_cursor: null }) });
  const row = (await screen.findByRole("button", { name: "ben@company.com" })).closest("tr");
  expect(row?.textContent).toContain("Mailbox exists, re-checked");
  expect(screen.getAllByText(/re-checked/)).toHaveLength(1);
});

it("[VAL-046] deletes an ended batch after naming what goes and what stays", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", {
    assign,
    origin: location.origin,
    href: location.href,
    search: "",
    pathname: "/",
  });
  const { calls, user } = open(
    {},
    { "DELETE /api/validate/batch/b1": () => json({ message: "Batch deleted" }) },
  );
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  const asked = screen.getByRole("dialog", { name: "Delete list.csv?" });
  expect(asked.textContent).toContain("The list and 10 results are removed");
  expect(asked.textContent).toContain("Your totals and the credits used stay as they are.");
  await user.click(within(asked).getByRole("button", { name: "Delete batch" }));
  await vi.waitFor(() => expect(assign).toHaveBeenCalledWith("/dashboard?tab=history"));
  expect(sent(calls)).toEqual([["DELETE", "/api/validate/batch/b1", ""]]);
});

it("[VAL-046] a refusal stays in the dialog", async () => {
  const detail = "Cancel the batch before deleting it";
  const { user } = open({}, { "DELETE /api/validate/batch/b1": () => refusal(409, "BATCH_RUNNING", detail) });
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await user.click(screen.getByRole("button", { name: "Delete batch" }));
  expect((await screen.findByRole("alert")).textContent).toContain(detail);
});

it("[VAL-042] [VAL-046] a running batch can be cancelled, not deleted; a paused one says why and can go on", async () => {
  open({ status: "paused", processed: 4, error: "The account is suspended." });
  expect(await screen.findByRole("button", { name: "Resume" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Cancel batch" })).toBeTruthy();
  expect(screen.getByText("The account is suspended.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
});

it("[VAL-044] is renamed and kept for as long as its owner says", async () => {
  const { calls, user } = open(
    {},
    { "PUT /api/validate/batch/b1": () => json({ id: "b1", filename: "Spring", expires_at: null }) },
  );
  await user.click(await screen.findByRole("button", { name: "Rename or keep longer" }));
  await user.clear(screen.getByLabelText("Name"));
  await user.type(screen.getByLabelText("Name"), "Spring");
  await user.selectOptions(screen.getByLabelText("Keep results for"), "30 days");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Batch changed")).toBeTruthy();
  expect(sent(calls)).toEqual([["PUT", "/api/validate/batch/b1", '{"name":"Spring","retention_days":30}']]);
});
