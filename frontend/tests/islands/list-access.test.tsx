// Who sees a list and who may save it, and the report of a list.
import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import type { BatchDetail } from "../../src/api/types";
import Results from "../../src/islands/results";
import Validate from "../../src/islands/validate";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { queryClient } from "../../src/lib/query";
import { batch, batchDetail, historyPage, progress } from "../data";
import { openHistory } from "../history-page";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { stubTypedList, typedStart } from "../uploads";

const ONLY_ME = "Only me and admins";
const DOWNLOADS = "GET /api/organisation/downloads";
const shared: Handler = () => json({ viewers_may_download: true, may_download: true, is_shared: true });
const refused: Handler = () => json({ viewers_may_download: false, may_download: false, is_shared: true });

function open(change: Partial<BatchDetail>, others: Record<string, Handler> = {}) {
  queryClient.clear();
  const calls = serve({
    [DOWNLOADS]: shared,
    "GET /api/validate/batch/b1": () => json(batchDetail(change)),
    "GET /api/validate/batch/b1/results": () => json({ results: [], total: 0, next_cursor: null }),
    ...others,
  });
  return { calls, user: show(<Results batch_id="b1" />) };
}

const bodies = (calls: { method: string; body: string }[], method: string): unknown[] =>
  calls.filter((call) => call.method === method).map(({ body }): unknown => JSON.parse(body));

it("[ORG-022] a pasted list can start for its maker and admins alone", async () => {
  queryClient.clear();
  const calls = serve({
    [DOWNLOADS]: shared,
    "GET /api/validate/batches": () => json(historyPage()),
    "GET /api/credits": () => json({ credits: 5 }),
    "POST /api/validate/upload/upl_1/start": typedStart("queued"),
    "GET /api/validate/batch/b1/status": () => json(progress()),
  });
  stubTypedList();
  const user = show(<Validate sandbox={false} />);
  await user.type(screen.getByLabelText("Single address, or paste a list"), "a@company.com\nb@company.com");
  await user.click(await screen.findByRole("checkbox", { name: /Only me and admins/ }));
  await user.click(screen.getByRole("button", { name: "Validate list" }));
  expect(await screen.findByRole("dialog", { name: "Validating your list" })).toBeTruthy();
  expect(bodies(calls, "POST")).toEqual([{ private: true }]);
});

it("[ORG-022] who is alone is not asked who sees a list", async () => {
  queryClient.clear();
  serve({
    "GET /api/validate/batches": () => json(historyPage()),
    "GET /api/credits": () => json({ credits: 5 }),
  });
  const user = show(<Validate sandbox={false} />);
  await user.type(screen.getByLabelText("Single address, or paste a list"), "a@company.com\nb@company.com");
  expect(await screen.findByText(/2 addresses/)).toBeTruthy();
  expect(screen.queryByText(ONLY_ME)).toBeNull();
});

it("[ORG-022] the history marks what other members do not see", async () => {
  queryClient.clear();
  openHistory({
    "GET /api/validate/batches": () =>
      json(
        historyPage({ batches: [batch({ private: true }), batch({ batch_id: "b2", filename: "open.csv" })] }),
      ),
  });
  expect((await screen.findAllByText(ONLY_ME)).length).toBe(1);
});

it.each([
  [false, ONLY_ME, "Only you and admins see this list"],
  [true, "Show to all members", "All members see this list"],
])("[ORG-022] who may, changes who sees a list (private: %s)", async (isPrivate, name, said) => {
  const changed = () => json({ id: "b1", filename: "list.csv", private: !isPrivate, expires_at: null });
  const { calls, user } = open({ private: isPrivate }, { "PUT /api/validate/batch/b1": changed });
  await user.click(await screen.findByRole("button", { name }));
  expect(await screen.findByText(said)).toBeTruthy();
  expect(bodies(calls, "PUT")).toEqual([{ private: !isPrivate }]);
});

it("[ORG-022] others are not offered to change who sees a list", async () => {
  open({ may_share: false });
  await screen.findByRole("button", { name: "Rename or keep longer" });
  expect(screen.queryByRole("button", { name: ONLY_ME })).toBeNull();
});

it("[ORG-022] who may not download is not offered it", async () => {
  open({}, { [DOWNLOADS]: refused });
  await screen.findByRole("button", { name: "Rename or keep longer" });
  await vi.waitFor(() => expect(screen.queryByRole("button", { name: "Download" })).toBeNull());
  expect(screen.queryByRole("button", { name: "PDF report" })).toBeNull();
  expect(screen.queryByRole("button", { name: /as CSV/ })).toBeNull();
});

it("[REP-033] the report is saved under the list's name", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { user } = open({}, { "GET /api/validate/batch/b1/report.pdf": () => new Response("%PDF") });
  await user.click(await screen.findByRole("button", { name: "PDF report" }));
  const name = `batch-list-report-${formatDay()}.pdf`;
  expect(await screen.findByText(`Report saved: ${name}`)).toBeTruthy();
  expect(save.mock.calls.map(([, saved]) => saved)).toEqual([name]);
});

it("[REP-033] a report that is refused says why", async () => {
  const { user } = open(
    {},
    { "GET /api/validate/batch/b1/report.pdf": () => refusal(410, "EXPIRED", "The results are gone.") },
  );
  await user.click(await screen.findByRole("button", { name: "PDF report" }));
  expect(await screen.findByText("The results are gone.")).toBeTruthy();
});

it.each<Partial<BatchDetail>>([{ status: "cancelled" }, { expired_at: "2026-03-02T10:00:00Z" }])(
  "[REP-033] only a finished list with results has a report (%o)",
  async (change) => {
    open(change);
    await screen.findByRole("button", { name: "Download" });
    expect(screen.queryByRole("button", { name: "PDF report" })).toBeNull();
  },
);
