import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { BatchDetail } from "../../src/api/types";
import Validate from "../../src/islands/validate";
import { closeNotice } from "../../src/features/billing/subscriptions/full-checks-notice";
import {
  batch,
  batchDetail,
  credits,
  freeSubscription,
  historyPage,
  progress,
  result,
  resultRow,
} from "../data";
import { pass, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { getFields, stubTypedList, stubUpload, typedStart, type Sent } from "../uploads";

const FIELD = "Single address, or paste a list";
const TWO = "anna@company.com\ngone@company.com";

const START = "POST /api/validate/upload/upl_1/start";

/** A list of so many that is done at once. */
function doneAtOnce(change: Partial<BatchDetail> = {}): Record<string, Handler> {
  return {
    [START]: typedStart("completed"),
    "GET /api/validate/batch/b1": () =>
      json(batchDetail({ total_emails: 2, emails: [resultRow()], ...change })),
  };
}

const readTexts = (sent: Sent[]) => Promise.all(sent.map(({ form }) => (form.get("file") as File).text()));

const nothingRunning: Record<string, Handler> = {
  "GET /api/validate/batches": () => json(historyPage()),
  "GET /api/credits": () => json({ credits: 5 }),
};

it("[VAL-001] offers one field for a single address, a list with one address a line, and a file", () => {
  serve(nothingRunning);
  show(<Validate sandbox={false} />);
  expect(screen.getByLabelText(FIELD).tagName).toBe("TEXTAREA");
  expect(screen.getByText(/^One address per line, or a file/)).toBeTruthy();
  expect(screen.getByText(/^\.csv, \.xlsx, \.xls or \.txt, up to 10 MB/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Choose a file" })).toBeTruthy();
  expect(screen.getByLabelText("File with addresses").getAttribute("accept")).toBe(".csv,.xlsx,.xls,.txt");
});

describe("a single address", () => {
  it("[VAL-002] must not be empty", async () => {
    const calls = serve(nothingRunning);
    const user = show(<Validate sandbox={false} />);
    await user.type(screen.getByLabelText(FIELD), "   ");
    await user.click(screen.getByRole("button", { name: "Validate" }));
    expect(screen.getByText("Enter the address to check")).toBeTruthy();
    expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("[VAL-004] [VAL-013] [VAL-018] answers with a toast and a report with folded technical section", async () => {
    const calls = serve({ ...nothingRunning, "POST /api/validate/single": () => json(result()) });
    const user = show(<Validate sandbox={false} />);
    await user.type(screen.getByLabelText(FIELD), "anna@company.com");
    await user.click(screen.getByRole("button", { name: "Validate" }));
    expect(await screen.findByText("Email validated successfully!")).toBeTruthy();
    const report = await screen.findByRole("region", { name: "anna@company.com" });
    expect(within(report).getByText("97%")).toBeTruthy();
    expect(within(report).getByText("Not checked: no trap list is configured")).toBeTruthy();
    expect(
      within(report)
        .getByText(/RCPT TO/)
        .closest("details")?.open,
    ).toBe(false);
    const sent = calls.filter(({ method }) => method === "POST");
    expect(sent.map(({ body }) => body)).toEqual(['{"email":"anna@company.com","repair":true}']);
    expect(sent.map(({ headers }) => headers.get("Idempotency-Key")?.length)).toEqual([32]);
  });

  it.each([
    [
      "the detail",
      () => refusal(403, "QUOTA_EXCEEDED", "Insufficient credits. You need 1 but have 0."),
      "Insufficient credits. You need 1 but have 0.",
    ],
    ["a text of its own", () => json({}, 500), "Validation failed"],
  ])("[VAL-004] that fails shows %s", async (_, answer, message) => {
    serve({ ...nothingRunning, "POST /api/validate/single": answer });
    const user = show(<Validate sandbox={false} />);
    await user.type(screen.getByLabelText(FIELD), "anna@company.com{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain(message);
  });
});

it("[VAL-022] without enough credits, the way to more is one press away", async () => {
  const refused = () => refusal(403, "QUOTA_EXCEEDED", "Insufficient credits. You need 1 but have 0.");
  serve({ ...nothingRunning, "POST /api/validate/single": refused });
  const user = show(<Validate sandbox={false} />);
  await user.type(screen.getByLabelText(FIELD), "anna@company.com{Enter}");
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe(
    "/dashboard?tab=pricing",
  );
  expect(screen.getAllByText("Insufficient credits. You need 1 but have 0.")).toHaveLength(1);
});

describe("a pasted list", () => {
  it("[VAL-005] needs a line that is not blank", async () => {
    const calls = serve(nothingRunning);
    const user = show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: "  \n  " } });
    await user.click(screen.getByRole("button", { name: "Validate" }));
    expect(screen.getByText("Please enter at least one email")).toBeTruthy();
    expect(calls.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("[VAL-005] [VAL-007] goes as it was written, and done at once it says how many", async () => {
    const sent = stubTypedList();
    serve({ ...nothingRunning, ...doneAtOnce() });
    const user = show(<Validate sandbox={false} />);
    const value = " anna@company.com \n\ngone@company.com  ";
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value } });
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    const toast = "Batch processing complete! Validated 2 emails successfully!";
    expect(await screen.findByText(toast)).toBeTruthy();
    expect(await readTexts(sent)).toEqual([value]);
    expect(sent.map(getFields)).toEqual([{ repair: "true", reuse_days: "30", pasted: "true" }]);
  });

  it("[PEN-022] says that the full checks do not cover it, and checks the first in full", async () => {
    closeNotice("last", "2026-02-10T08:00:00Z");
    const sent = stubTypedList();
    serve({
      ...nothingRunning,
      ...doneAtOnce(),
      "GET /api/subscriptions/status": () => json(freeSubscription()),
      "GET /api/credits": () =>
        json(credits({ welcome_credits: 2, welcome_ends_at: "2026-02-10T08:00:00Z", checks: "full" })),
    });
    const user = show(<Validate sandbox={false} />);
    expect(await screen.findByText("2 full checks left until 10 February 2026")).toBeTruthy();
    const field = screen.getByLabelText(FIELD);
    fireEvent.change(field, { target: { value: "a@x.com\nb@x.com\nA@x.com\nnothing" } });
    expect(screen.queryByText(/runs basic checks/)).toBeNull();
    await user.type(field, "{Enter}c@x.com");
    expect(
      screen.getByText("5 addresses, 1 duplicate, 1 not an address · at most 3 credits", { exact: false }),
    ).toBeTruthy();
    expect(screen.getByText("2 full checks left. This list of 4 runs basic checks.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Check the first 2 in full" }));
    await screen.findByRole("region", { name: "2 addresses validated" });
    expect(sent.map(getFields)).toEqual([
      { repair: "true", reuse_days: "30", pasted: "true", max_credits: "2" },
    ]);
  });

  it("[SET-060] names the providers, and stays in-house where that is chosen", async () => {
    const sent = stubTypedList();
    serve({ ...nothingRunning, ...doneAtOnce() });
    const user = show(<Validate sandbox={false} providers={["ZeroBounce", "Kickbox"]} />);
    expect(screen.queryByText(/may be sent to/)).toBeNull();
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    expect(screen.getByText(/may be sent to ZeroBounce, Kickbox\./)).toBeTruthy();
    await user.click(screen.getByLabelText("Keep the addresses with us"));
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    await screen.findByRole("region", { name: "2 addresses validated" });
    expect(sent.map(getFields)).toEqual([
      { repair: "true", reuse_days: "30", pasted: "true", use_providers: "false" },
    ]);
  });

  it("[SET-060] has no switch where nobody would be asked", () => {
    serve(nothingRunning);
    show(<Validate sandbox={false} providers={[]} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    expect(screen.queryByLabelText("Keep the addresses with us")).toBeNull();
  });

  it("[VAL-013] [LIM-017] shows both summaries, the first five results and the way to all", async () => {
    const emails = Array.from({ length: 5 }, (_, index) =>
      resultRow({ id: `${index}`, email: `person${index}@company.com` }),
    );
    stubTypedList();
    serve({ ...nothingRunning, ...doneAtOnce({ emails, total_emails: 7 }) });
    const user = show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    const summary = await screen.findByRole("region", { name: "7 addresses validated" });
    expect(within(summary).getByText("Category summary")).toBeTruthy();
    expect(within(summary).getByText("Deliverability summary")).toBeTruthy();
    expect(within(summary).getAllByText(/^person\d@company.com$/)).toHaveLength(5);
    expect(within(summary).getByRole("link", { name: "View Results" }).getAttribute("href")).toBe(
      "/dashboard/batch/b1",
    );
  });

  it.each([
    [
      "the detail",
      400,
      { code: "EMPTY_LIST", detail: "Please enter at least one email" },
      "Please enter at least one email",
    ],
    ["its own text", 500, {}, "Bulk validation failed"],
  ])("[VAL-007] that fails shows %s", async (_, status, answer, message) => {
    stubUpload((request) => request.answer(status, answer));
    serve(nothingRunning);
    const user = show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    expect((await screen.findByRole("alert")).textContent).toContain(message);
  });

  it("[VAL-022] [VAL-007] that is refused at its start shows why", async () => {
    stubTypedList();
    const detail = "Insufficient credits. You need 2 but have 1.";
    serve({ ...nothingRunning, [START]: () => refusal(403, "QUOTA_EXCEEDED", detail) });
    const user = show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    expect((await screen.findByRole("alert")).textContent).toContain(detail);
  });
});

describe("a long list", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  async function start(answers: Handler[], others: Record<string, Handler> = {}) {
    const last = answers.at(-1);
    stubTypedList();
    const calls = serve({
      ...nothingRunning,
      ...others,
      [START]: typedStart("queued"),
      "GET /api/validate/batch/b1/status": (call) => (answers.shift() ?? last ?? (() => json({})))(call),
      "GET /api/validate/batch/b1": () =>
        json({ ...batch(), emails: [resultRow()], page: 1, page_size: 5, total: 10, next: 2 }),
    });
    show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: TWO } });
    fireEvent.click(screen.getByRole("button", { name: "Validate list" }));
    await pass(10);
    return calls;
  }

  const button = (name: string) => screen.queryByRole("button", { name });

  it("[VAL-036] [VAL-037] shows its figures, and Close and View Results only when completed", async () => {
    await start([
      () => json(progress()),
      () => json(progress({ status: "completed", progress_percentage: 100, processed: 10 })),
    ]);
    const modal = within(screen.getByRole("dialog", { name: "Validating list.csv" }));
    expect(modal.getByText("40%")).toBeTruthy();
    expect(modal.getByText("processing")).toBeTruthy();
    expect(modal.getByText("Total 10")).toBeTruthy();
    expect(modal.getByText("Processed 4")).toBeTruthy();
    expect(modal.getByText("Valid 3")).toBeTruthy();
    expect(modal.getByText("Invalid 1")).toBeTruthy();
    expect(button("Close")).toBeNull();
    expect(screen.queryByRole("link", { name: "View Results" })).toBeNull();
    await pass(3_100);
    expect(screen.getByRole("dialog", { name: "List finished" })).toBeTruthy();
    expect(button("Close")).not.toBeNull();
    expect(screen.getByRole("link", { name: "View Results" }).getAttribute("href")).toBe(
      "/dashboard/batch/b1",
    );
  });

  it("[VAL-030] says when it is complete, and shows the summary", async () => {
    await start([() => json(progress({ status: "completed", processed: 10 }))]);
    await pass(1_100);
    expect(screen.getByText("Batch processing complete! Validated 10 emails successfully!")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    await pass(10);
    expect(screen.getByRole("region", { name: "10 addresses validated" })).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Batch progress" })).toBeNull();
  });

  it("[VAL-036] shows the same figures in the panel, and [VAL-034] a status that it does not know as it is", async () => {
    await start([() => json(progress()), () => json({ ...progress(), status: "thinking" })]);
    fireEvent.click(screen.getByRole("button", { name: "Continue in background" }));
    const panel = within(screen.getByRole("region", { name: "Batch progress" }));
    const shown = ["processing", "40%", "Total 10", "Processed 4", "Valid 3", "Invalid 1"];
    expect(shown.filter((text) => panel.queryByText(text) === null)).toEqual([]);
    await pass(2_000);
    expect(panel.getByText("thinking")).toBeTruthy();
  });

  it("[VAL-042] goes on in the background as a panel, and back", async () => {
    const calls = await start([() => json(progress())]);
    fireEvent.click(screen.getByRole("button", { name: "Continue in background" }));
    const panel = screen.getByRole("region", { name: "Batch progress" });
    expect(within(panel).getByText("40%")).toBeTruthy();
    const asked = () => calls.filter(({ path }) => /\/batch\/.*\/status$/.test(path)).length;
    const before = asked();
    await pass(4_000);
    expect(asked()).toBe(before + 2);
    fireEvent.click(screen.getByRole("button", { name: "Show progress" }));
    expect(screen.getByRole("dialog", { name: "Validating list.csv" })).toBeTruthy();
  });

  it("[VAL-038] only logs errors, and after three shows the time of the last answer", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    vi.setSystemTime(new Date(2025, 2, 1, 10, 0));
    await start([() => json(progress()), () => refusal(503, "UNAVAILABLE", "")]);
    await pass(4_500);
    expect(warn).toHaveBeenCalledTimes(2);
    expect(screen.queryByText(/No answer from the server/)).toBeNull();
    await pass(2_000);
    expect(screen.getByText(/No answer from the server/).textContent).toContain(
      "Last one: 1 Mar 2025, 10:00",
    );
  });

  it("[VAL-042] [VAL-046] is cancelled after a question that names what is done, what is left and the credits", async () => {
    const cancelled = { status: "cancelled", released: 6, processed: 4 };
    const calls = await start([() => json(progress()), () => json(progress({ status: "cancelled" }))], {
      "POST /api/validate/batch/b1/cancel": () =>
        json({ ...cancelled, message: "Batch cancelled. 6 credits released." }),
    });
    fireEvent.click(screen.getByRole("button", { name: "Cancel batch" }));
    const asked = screen.getByRole("dialog", { name: "Cancel this batch?" });
    expect(asked.textContent).toContain("4 of 10 addresses are done and stay, with their results.");
    expect(asked.textContent).toContain(
      "The other 6 will not be checked. Their credits, 6 at most, come back at once.",
    );
    const posts = () => calls.filter(({ path }) => path.endsWith("/cancel")).length;
    fireEvent.click(within(asked).getByRole("button", { name: "Keep running" }));
    expect(posts()).toBe(0);
    fireEvent.click(screen.getByRole("button", { name: "Cancel batch" }));
    const again = screen.getByRole("dialog", { name: "Cancel this batch?" });
    fireEvent.click(within(again).getByRole("button", { name: "Cancel batch" }));
    await pass(2_500);
    expect(posts()).toBe(1);
    expect(screen.getByText("Batch cancelled. 6 credits released.")).toBeTruthy();
    expect(screen.getByRole("dialog", { name: "List cancelled" })).toBeTruthy();
    expect(screen.queryByRole("link", { name: "View Results" })).toBeNull();
  });

  it("[VAL-046] that pauses says why and goes on with Resume", async () => {
    const error = "The account is suspended. Once it is active again, press Resume.";
    await start([() => json(progress({ status: "paused", error })), () => json(progress())], {
      "POST /api/validate/batch/b1/resume": () => json({ status: "queued", message: "Batch resumed" }),
    });
    expect(screen.getByRole("dialog", { name: "List paused" })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toBe(error);
    fireEvent.click(screen.getByRole("button", { name: "Resume" }));
    await pass(2_500);
    expect(screen.getByText("Batch resumed")).toBeTruthy();
    expect(screen.getByRole("dialog", { name: "Validating list.csv" })).toBeTruthy();
    expect(button("Resume")).toBeNull();
  });

  it("[VAL-039] that failed says why and can be closed", async () => {
    await start([() => json(progress({ status: "failed", error: "The list could not be read" }))]);
    expect(screen.getByText("The list could not be read")).toBeTruthy();
    expect(screen.queryByRole("link", { name: "View Results" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

it("[VAL-014] [REP-046] a batch that is running when the tab opens is resumed with a toast", async () => {
  serve({
    ...nothingRunning,
    "GET /api/validate/batches": () =>
      json(
        historyPage({
          batches: [batch({ status: "processing", processed: 4, total_emails: 10 })],
        }),
      ),
    "GET /api/validate/batch/b1/status": () => json(progress()),
  });
  show(<Validate sandbox={false} />);
  expect(await screen.findByText("Resuming validation: 4/10 emails processed")).toBeTruthy();
  // REP-046: in the toast and in the title of the panel
  expect(await screen.findAllByText("Validating list.csv")).toHaveLength(2);
  expect(await screen.findByRole("region", { name: "Batch progress" })).toBeTruthy();
});
