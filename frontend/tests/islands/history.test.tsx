import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { formatSuccessRate } from "../../src/features/validation/batches/history/analytics-dialog";
import { countNeverSent } from "../../src/lib/labels";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { batch, historyPage, resultRow } from "../data";
import { file, full, openHistory } from "../history-page";
import { pass } from "../render";
import { json, refusal } from "../server";

function card(title: string) {
  const article = screen.getByRole("heading", { name: title, level: 3 }).closest("article");
  return within(article ?? document.body);
}

it("[VAL-051] shows the breakdown, files, pasted lists and single validations", async () => {
  openHistory();
  expect(await screen.findByRole("heading", { name: "list.csv" })).toBeTruthy();
  expect(screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Overall categories",
    "Files",
    "Pasted lists",
    "Single validations",
  ]);
  expect(await screen.findByText("21 addresses checked in all")).toBeTruthy();
});

it("[VAL-027] an address that names no order and no category shows the newest of all", async () => {
  history.replaceState(null, "", "/dashboard?sort=toString&category=constructor");
  const { calls } = openHistory();
  await screen.findByRole("heading", { name: "list.csv" });
  const asked = calls.filter(({ path }) => path === "/api/validate/batches");
  expect(asked.map(({ query }) => query.toString())).toEqual(["sort=-created"]);
});

it("[VAL-052] [VAL-054] a file's card has details, download and export; a pasted list has no download", async () => {
  openHistory();
  await screen.findByRole("heading", { name: "list.csv" });
  expect(
    card("list.csv")
      .getAllByRole("button")
      .map(({ textContent, ariaLabel }) => textContent || ariaLabel),
  ).toEqual(["Details", "Export", "Download list.csv"]);
  expect(
    card("Pasted list")
      .getAllByRole("button")
      .map(({ textContent }) => textContent),
  ).toEqual(["Details", "Export"]);
});

it("[VAL-055] an empty history offers to start validating", async () => {
  openHistory({ "GET /api/validate/batches": () => json(historyPage()) });
  expect(await screen.findByText("No Validation History")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Start Validating" }).getAttribute("href")).toBe(
    "/dashboard?tab=validate",
  );
});

it("no match offers to clear the filters", async () => {
  history.replaceState(null, "", "/dashboard?tab=history&search=nobody&category=valid");
  const { calls, user } = openHistory({
    "GET /api/validate/batches": ({ query }) => json(query.has("search") ? historyPage() : full),
  });
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByRole("heading", { name: "list.csv" })).toBeTruthy();
  expect(location.search).toBe("?tab=history");
  expect(calls[0]?.query.toString()).toBe("sort=-created&search=nobody&category=valid");
});

it("[VAL-027] each part goes on by itself, and the order is asked of the server", async () => {
  const next = {
    ...full,
    batches_next: "B",
    individual_next: "I",
    batches_total: 120,
    individual_total: 3_000,
  };
  const more = historyPage({ batches: [batch({ batch_id: "b9", filename: "older.csv" })] });
  const { calls, user } = openHistory({
    "GET /api/validate/batches": ({ query }) => json(query.get("cursor") === "B" ? more : next),
  });
  expect(await screen.findByText("1 of 3,000")).toBeTruthy();
  expect(screen.getByText("2 of 120")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show more lists" }));
  expect(await screen.findByRole("heading", { name: "older.csv" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more lists" })).toBeNull();
  expect(screen.getByRole("button", { name: "Show more single validations" })).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Sort by"), "Name, A to Z");
  await vi.waitFor(() => expect(calls.at(-1)?.query.toString()).toBe("sort=name"));
  expect(location.search).toContain("sort=name");
});

it("a search that finds very many says that there are more", async () => {
  const many = { ...full, individual_next: "I", individual_total: 10_000, individual_total_is_least: true };
  openHistory({ "GET /api/validate/batches": () => json(many) });
  expect(await screen.findByText("1 of more than 10,000")).toBeTruthy();
});

it("a failed load shows the reference and offers Retry", async () => {
  const answers = [() => refusal(400, "ODD", "Something odd happened"), () => json(full)];
  const { user } = openHistory({
    "GET /api/validate/batches": () => (answers.shift() ?? (() => json(full)))(),
  });
  expect(await screen.findByText("Something odd happened")).toBeTruthy();
  expect(screen.getByText("Reference: req-7")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("heading", { name: "list.csv" })).toBeTruthy();
});

describe("[VAL-056] polling", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  it("[LIM-013] asks for active batches every three seconds while there is one, and stops after it", async () => {
    const running = batch({ status: "processing", processed: 4 });
    let active = [running];
    const { calls } = openHistory({
      "GET /api/validate/batches": ({ query }) =>
        json(historyPage({ batches: query.has("active") ? active : [active[0] ?? file] })),
    });
    const polls = () => calls.filter(({ query }) => query.get("active") === "true").length;
    await pass(100);
    const before = polls();
    await pass(6_000);
    expect(polls()).toBe(before + 2);
    active = [];
    await pass(3_100);
    expect(screen.getByText("finished")).toBeTruthy();
    const after = polls();
    await pass(30_000);
    expect(polls()).toBe(after);
  });

  it("does not begin when nothing is on its way", async () => {
    const { calls } = openHistory();
    await pass(30_000);
    expect(calls.map(({ path }) => path)).toEqual(["/api/validate/batches", "/api/analytics/dashboard"]);
  });
});

describe("exports", () => {
  let saved: [string, string][];

  beforeEach(() => {
    saved = [];
    vi.spyOn(download, "saveCsv").mockImplementation((text, name) =>
      saved.push([name, text.split("\r\n")[0] ?? ""]),
    );
  });

  const day = formatDay();

  it("[VAL-061] [VAL-065] [VAL-066] of a card has its name, a summary and a toast", async () => {
    const { user } = openHistory();
    await screen.findByRole("heading", { name: "list.csv" });
    await user.click(card("list.csv").getByRole("button", { name: "Export" }));
    expect(await screen.findByText(`Export completed: bulk-validation-b1-${day}.csv`)).toBeTruthy();
    await user.click(card("list.csv").getByRole("button", { name: "Download list.csv" }));
    expect(await screen.findByText(`Export completed: batch-list-${day}.csv`)).toBeTruthy();
    expect(saved).toEqual([
      [`bulk-validation-b1-${day}.csv`, '"list.csv"'],
      [`batch-list-${day}.csv`, '"list.csv"'],
    ]);
  });

  it("[VAL-054] of all single validations and of everything", async () => {
    const { user } = openHistory();
    await user.click(await screen.findByRole("button", { name: "Export All Individual" }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Export history" }));
    await vi.waitFor(() => expect(saved).toHaveLength(2));
    expect(saved).toEqual([
      [`individual-validations-${day}.csv`, '"Individual validations"'],
      [`detailed-history-all-${day}.csv`, '"Validation history"'],
    ]);
  });

  it("[VAL-069] of everything pages through the history and builds one file, without a call of its own", async () => {
    const more = historyPage({ individual_validations: [resultRow({ id: "2", email: "ben@company.com" })] });
    const { calls, user } = openHistory({
      "GET /api/validate/batches": ({ query }) =>
        json(query.get("cursor") === "I" ? more : { ...full, individual_next: "I" }),
    });
    await user.click(await screen.findByRole("button", { name: "Export history" }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    expect(new Set(calls.map(({ method, path }) => `${method} ${path}`))).toEqual(
      new Set([
        "GET /api/validate/batches",
        "GET /api/analytics/dashboard",
        "GET /api/validate/batch/b1/results",
        "GET /api/validate/batch/b2/results",
      ]),
    );
    expect(vi.mocked(download.saveCsv).mock.calls[0]?.[0]).toContain('"ben@company.com"');
  });

  it("[VAL-062] of nothing says so", async () => {
    const { user } = openHistory({ "GET /api/validate/batches": () => json(historyPage()) });
    await user.click(await screen.findByRole("button", { name: "Export history" }));
    expect(await screen.findByText("No validation data to export")).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it("[VAL-063] of a batch without rows, or that fails, says so", async () => {
    const { user } = openHistory({
      "GET /api/validate/batch/b1/results": () => json({ results: [], next_cursor: null }),
      "GET /api/validate/batch/b2/results": () => json({}, 500),
    });
    await screen.findByRole("heading", { name: "list.csv" });
    await user.click(card("list.csv").getByRole("button", { name: "Export" }));
    expect(await screen.findByText("No email data found for this batch")).toBeTruthy();
    await user.click(card("Pasted list").getByRole("button", { name: "Export" }));
    expect(await screen.findByText("Failed to export bulk validation")).toBeTruthy();
    expect(saved).toEqual([]);
  });

  it("[VAL-064] of the analytics dialog first says that it fetches", async () => {
    const { user } = openHistory();
    await screen.findByRole("heading", { name: "list.csv" });
    await user.click(card("list.csv").getByRole("button", { name: "Details" }));
    const dialog = within(screen.getByRole("dialog", { name: "Batch Analytics" }));
    await user.click(dialog.getByRole("button", { name: "Export" }));
    expect(await screen.findByText("Fetching detailed batch data for export...")).toBeTruthy();
    await vi.waitFor(() => expect(saved.map(([name]) => name)).toEqual([`detailed-history-b1-${day}.csv`]));
  });

  it("[VAL-053] [VAL-057] of one address from its card and its dialog", async () => {
    const { user } = openHistory();
    await screen.findByRole("heading", { name: "anna@company.com" });
    await user.click(card("anna@company.com").getByRole("button", { name: "Export" }));
    await user.click(card("anna@company.com").getByRole("button", { name: "View details" }));
    const dialog = within(screen.getByRole("dialog", { name: "Validation Details" }));
    expect(dialog.getByText("anna@company.com")).toBeTruthy();
    expect(dialog.getByRole("progressbar", { name: "Confidence of safe delivery" })).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Export Detailed Report" }));
    const name = `individual-validation-anna-at-company.com-${day}.csv`;
    expect(saved.map(([file]) => file)).toEqual([name, name]);
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

it("[VAL-058] [VAL-059] the dialog Batch Analytics has counts, totals, facts of the batch and an export", async () => {
  const { user } = openHistory();
  await screen.findByRole("heading", { name: "list.csv" });
  await user.click(card("list.csv").getByRole("button", { name: "Details" }));
  const dialog = within(screen.getByRole("dialog", { name: "Batch Analytics" }));
  const terms = dialog.getAllByRole("term").map(({ textContent }) => textContent);
  const values = dialog.getAllByRole("definition").map(({ textContent }) => textContent);
  const shown = Object.fromEntries(terms.map((term, index) => [term, values[index]]));
  expect(shown).toMatchObject({
    "High Risk": "3",
    "Success Rate": "60%",
    Total: "10",
    Processed: "10",
    "Duplicates removed": "3",
    "Credits used": "9",
    Status: "finished",
    Id: "b1",
  });
  expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Safe to send660%",
    "Risky to send110%",
    "Do not send330%",
    "Valid550%",
    "Catch-all110%",
    "Unknown110%",
    "Invalid220%",
    "Disposable110%",
    "Spam trap00%",
  ]);
  expect(dialog.getByRole("link", { name: /^Invalid/ }).getAttribute("href")).toBe(
    "/dashboard/batch/b1?category=invalid",
  );
  expect(dialog.queryByRole("link", { name: /^Spam trap/ })).toBeNull();
  expect(dialog.getByRole("button", { name: "Export" })).toBeTruthy();
});

it("[VAL-059] High Risk and Success Rate follow the counts", () => {
  expect(countNeverSent(batch({ invalid_count: 2, disposable_count: 3, spam_trap_count: 4 }))).toBe(9);
  expect(formatSuccessRate(batch({ safe_to_send_count: 2, total_emails: 3 }))).toBe("67%");
  expect(formatSuccessRate(batch({ safe_to_send_count: 0, valid_count: 1, total_emails: 3 }))).toBe("33%");
  expect(formatSuccessRate(batch({ safe_to_send_count: 0, valid_count: 0, total_emails: 0 }))).toBe("0%");
});

it("[SET-059] deletes a single validation after asking, and reads the history again", async () => {
  let left = [resultRow({ row: 0 })];
  const { calls, user } = openHistory({
    "GET /api/validate/batches": () => json(historyPage({ batches: [file], individual_validations: left })),
    "DELETE /api/validate/result/1": () => {
      left = [];
      return json({ message: "Result deleted" });
    },
  });
  await screen.findByRole("heading", { name: "anna@company.com" });
  await user.click(card("anna@company.com").getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Keep it" }));
  expect(calls.filter(({ method }) => method === "DELETE")).toEqual([]);
  await user.click(card("anna@company.com").getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete validation" }));
  expect(await screen.findByText("Result deleted")).toBeTruthy();
  await vi.waitFor(() => expect(screen.queryByRole("heading", { name: "anna@company.com" })).toBeNull());
  expect(screen.getByRole("heading", { name: "list.csv" })).toBeTruthy();
});

it("[SET-059] rows of a list have no button of their own for that", async () => {
  openHistory({
    "GET /api/validate/batches": () => json(historyPage({ individual_validations: [resultRow({ row: 3 })] })),
  });
  await screen.findByRole("heading", { name: "anna@company.com" });
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
});
