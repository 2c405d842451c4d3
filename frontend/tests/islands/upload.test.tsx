import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import Validate from "../../src/islands/validate";
import type { Draft } from "../../src/api/types";
import * as download from "../../src/lib/download";
import { batch, draft, historyPage, progress, resultRow } from "../data";
import { pass, show } from "../render";
import { json, serve, type Handler } from "../server";
import { stubUpload, type FakeRequest } from "../uploads";

const FIELD = "Single address, or paste a list";

const quiet: Record<string, Handler> = {
  "GET /api/validate/batches": () => json(historyPage()),
  "GET /api/credits": () => json({ credits: 5 }),
};

function choose(name: string, size = 10): void {
  const file = new File(["x"], name);
  Object.defineProperty(file, "size", { value: size });
  fireEvent.change(screen.getByLabelText("File with addresses"), { target: { files: [file] } });
}

/** What is sent of a list of which nothing was chosen. */
const KEPT = {
  repair: true,
  undo_repairs: [],
  undo_kinds: [],
  use_suggestions: false,
  suggestion_rows: [],
  undo_suggestions: [],
  reuse_days: 30,
  max_credits: null,
  retention_days: null,
  use_providers: null,
};

const press = () => fireEvent.click(screen.getByRole("button", { name: "Continue" }));

it("[VAL-008] must be chosen, of a known type and at most 10 MB", () => {
  serve(quiet);
  show(<Validate sandbox={false} />);
  const said = () => screen.getAllByRole("alert").map(({ textContent }) => textContent);
  expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
  choose("list.pdf");
  expect(said()).toEqual(["Only .csv, .xlsx, .xls and .txt files are supported"]);
  choose("list.csv", 10_485_761);
  expect(said()).toEqual(["File is too large. Maximum size is 10MB."]);
  choose("list.csv");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("list.csv")).toBeTruthy();
  expect(screen.getByText("10 B")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Continue" })).toBeTruthy();
});

async function upload(end: (request: FakeRequest) => void, handlers: Record<string, Handler> = {}) {
  stubUpload(end);
  serve({ ...quiet, ...handlers });
  show(<Validate sandbox={false} />);
  choose("list.csv");
  press();
  await pass(10);
}

const uploaded =
  (change: Partial<Draft> = {}) =>
  (request: FakeRequest) =>
    request.answer(200, draft(change));

const settings: Record<string, Handler> = {
  "GET /api/user/retention": () =>
    json({ uploads_days: 30, results_days: 365, use_providers: true, max_credits: null }),
};

const click = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("an upload", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    history.replaceState(null, "", "/dashboard");
  });

  it("[VAL-045] shows its columns with their values, then what it holds and costs", async () => {
    await upload(uploaded(), settings);
    expect(screen.getByRole("heading", { name: "Columns" })).toBe(document.activeElement);
    expect(location.search).toBe("?upload=upl_1");
    const column = screen.getByRole<HTMLInputElement>("checkbox", { name: /^Email \(column B\)/ });
    expect(column.checked).toBe(true);
    expect(screen.getByText("anna@company.com")).toBeTruthy();
    expect(screen.getByText("95.5% look like addresses")).toBeTruthy();
    expect(screen.getByLabelText<HTMLSelectElement>("Encoding").value).toBe("utf-8");
    expect(screen.getByLabelText<HTMLSelectElement>("Delimiter").value).toBe(",");
    expect(screen.getByLabelText<HTMLInputElement>("Header is row").value).toBe("1");
    click("Continue");
    await pass(10);
    expect(screen.getByRole("heading", { name: "Review" })).toBe(document.activeElement);
    const figures = screen.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(figures).toEqual(["12", "9", "2", "1", "1"]);
    expect(screen.getByText("At most 8 credits")).toBeTruthy();
    expect(screen.getByText("You have 100; 92 are left to spend meanwhile.")).toBeTruthy();
    expect(screen.getByText(/No outside provider is asked for your plan/)).toBeTruthy();
    const kept = screen.getByLabelText<HTMLSelectElement>("Keep file and results for");
    expect(kept.selectedOptions[0]?.text).toBe("As in my settings");
    expect(screen.getByText(/^Your settings: file 30 days, results 365 days\. After that/)).toBeTruthy();
  });

  it("[VAL-045] reads the file anew for another choice and keeps those of before", async () => {
    const sent: unknown[] = [];
    await upload(uploaded({ chosen: ["header_row"] }), {
      ...settings,
      "PUT /api/validate/upload/upl_1": ({ body }) => {
        sent.push(JSON.parse(body));
        return json(draft({ email_columns: ["1", "2"], chosen: ["header_row", "email_columns"], unique: 3 }));
      },
    });
    fireEvent.click(screen.getByRole("checkbox", { name: /^Name/ }));
    await pass(10);
    const read = { header_row: 1, undo_repairs: [], suggestion_rows: [], undo_suggestions: [] };
    expect(sent).toEqual([{ ...KEPT, ...read, email_columns: ["1", "2"] }]);
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /^Name/ }).checked).toBe(true);
    fireEvent.change(screen.getByLabelText("Delimiter"), { target: { value: ";" } });
    await pass(10);
    expect(sent[1]).toEqual({ ...KEPT, ...read, delimiter: ";" });
  });

  it("[REP-023] needs a column, and takes no more than ten", async () => {
    const sent: unknown[] = [];
    const columns = Array.from({ length: 12 }, (_, index) => ({
      name: `mail ${index + 1}`,
      letter: String.fromCharCode(65 + index),
      likely: true,
      samples: [`person${index}@company.com`],
      looks_like_email: 1,
    }));
    const ten = columns.slice(0, 10).map((_, index) => String(index + 1));
    await upload(uploaded({ sheets: [{ name: "", rows: 12, columns }], email_columns: ten }), {
      ...settings,
      "PUT /api/validate/upload/upl_1": ({ body }) => {
        sent.push((JSON.parse(body) as Draft).email_columns);
        return json(draft({ sheets: [{ name: "", rows: 12, columns }], email_columns: ["1"] }));
      },
    });
    const box = (letter: string) =>
      screen.getByRole<HTMLInputElement>("checkbox", { name: new RegExp(`\\(column ${letter}\\)`) });
    expect([box("A").disabled, box("K").disabled, box("L").disabled]).toEqual([false, true, true]);
    fireEvent.click(box("J"));
    await pass(10);
    expect(sent).toEqual([ten.slice(0, 9)]);
    fireEvent.click(box("A"));
    expect(screen.getByRole("alert").textContent).toBe("Tick the column that holds the addresses.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Continue" }).disabled).toBe(true);
    fireEvent.click(box("L"));
    await pass(10);
    expect(sent).toEqual([ten.slice(0, 9), ["12"]]);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("[REP-022] is read by another header row once its number is typed", async () => {
    const sent: unknown[] = [];
    await upload(uploaded(), {
      ...settings,
      "PUT /api/validate/upload/upl_1": ({ body }) => {
        const { header_row } = JSON.parse(body) as Draft;
        sent.push(header_row);
        return json(draft({ header_row, chosen: ["header_row"] }));
      },
    });
    const field = screen.getByLabelText<HTMLInputElement>("Header is row");
    const type = (value: string) => fireEvent.change(field, { target: { value } });
    type("1");
    type("12");
    await pass(600);
    expect(screen.getByText(/Rows 1 to 11 are title rows: they are not checked/)).toBeTruthy();
    type("101");
    expect(screen.getByRole("alert").textContent).toBe("A number from 0 to 100");
    await pass(600);
    type("0");
    fireEvent.blur(field);
    await pass(10);
    expect(sent).toEqual([12, 0]);
    expect(screen.queryByText(/title row/)).toBeNull();
  });

  it("[VAL-021] [PEN-025] says in the review what the plan leaves out and costs all the same", async () => {
    await upload(uploaded({ checks: "basic", unknown_costs: "Basic checks cost, unknown too." }), settings);
    click("Continue");
    await pass(10);
    const review = within(screen.getByRole("region", { name: "Upload" }));
    expect(review.getByText(/Basic checks cost, unknown too\./)).toBeTruthy();
    expect(review.getByText(/checks are not included in your plan/)).toBeTruthy();
    expect(review.getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe("/dashboard?tab=pricing");
  });

  it("[PEN-022] says that the full checks do not cover the list, and cuts it to the first, and back", async () => {
    const sent: unknown[] = [];
    const basic = { checks: "basic", welcome_credits: 5 } as const;
    await upload(uploaded(basic), {
      ...settings,
      "PUT /api/validate/upload/upl_1": ({ body }) => {
        const { max_credits } = JSON.parse(body) as { max_credits: number | null };
        sent.push(max_credits);
        const cut = {
          checks: "full",
          welcome_credits: 5,
          unique: 5,
          left_out: 4,
          cost: 5,
          max_credits,
        } as const;
        return json(draft(max_credits === null ? basic : cut));
      },
    });
    click("Continue");
    await pass(10);
    expect(screen.getByText("5 full checks left. This list of 9 runs basic checks.")).toBeTruthy();
    click("Check the first 5 in full");
    await pass(10);
    expect(screen.getByText("At most 5 credits")).toBeTruthy();
    expect(screen.queryByText(/runs basic checks/)).toBeNull();
    click("Check the whole list");
    await pass(10);
    expect(screen.getByText("At most 8 credits")).toBeTruthy();
    expect(sent).toEqual([5, null]);
  });

  it("[VAL-045] says why a choice does not fit, and stays as it was", async () => {
    await upload(uploaded(), {
      ...settings,
      "PUT /api/validate/upload/upl_1": () => json({ detail: "No email addresses found in the file" }, 400),
    });
    fireEvent.click(screen.getByRole("checkbox", { name: /^Name/ }));
    await pass(10);
    expect(screen.getByRole("alert").textContent).toContain("No email addresses found in the file");
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: /^Email \(column B\)/ }).checked).toBe(
      true,
    );
  });

  it("[VAL-044] [SET-060] begins with the account's choices about privacy, and keeps those of the list", async () => {
    const sent: unknown[] = [];
    await upload(uploaded(), {
      "GET /api/user/retention": () =>
        json({ uploads_days: 30, results_days: 365, use_providers: false, max_credits: null }),
      "PUT /api/validate/upload/upl_1": ({ body }) => {
        sent.push(JSON.parse(body));
        return json(draft(JSON.parse(body) as Partial<Draft>));
      },
    });
    click("Continue");
    await pass(10);
    fireEvent.change(screen.getByLabelText("Keep file and results for"), { target: { value: "7" } });
    await pass(10);
    const inHouse = () => screen.getByLabelText<HTMLInputElement>("Keep the addresses with us");
    expect(inHouse().checked).toBe(true);
    fireEvent.click(inHouse());
    await pass(10);
    expect(sent).toEqual([
      { ...KEPT, retention_days: 7 },
      { ...KEPT, retention_days: 7, use_providers: true },
    ]);
    expect(inHouse().checked).toBe(false);
  });

  it("[VAL-022] [REP-043] cannot be started beyond the credits, and says what they suffice for", async () => {
    await upload(uploaded({ cost: 101, credits: 100 }), settings);
    click("Continue");
    await pass(10);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("You need 101 and have 100.");
    const buy = within(alert).getByRole("link", { name: "Buy credits" });
    expect(buy.getAttribute("href")).toBe("/dashboard?tab=pricing");
    expect(within(alert).getByRole("button", { name: "Check the first 100" })).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Start validation" }).disabled).toBe(true);
  });

  async function start(started: Record<string, unknown>, handlers: Record<string, Handler> = {}) {
    await upload(uploaded(), {
      ...settings,
      "POST /api/validate/upload/upl_1/start": () => json({ batch_id: "b1", held: 8, ...started }, 202),
      "GET /api/validate/batch/b1": () =>
        json({ ...batch(), emails: [resultRow()], page: 1, page_size: 5, total: 10, next: 2 }),
      ...handlers,
    });
    click("Continue");
    await pass(10);
    click("Start validation");
    await pass(10);
  }

  it("[VAL-010] [VAL-012] [VAL-030] that is short is done at once", async () => {
    await start({ status: "completed" });
    expect(screen.getByText("Validation complete! 5 valid, 2 invalid")).toBeTruthy();
    expect(screen.queryByText(/^Batch processing complete/)).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(location.search).toBe("");
    const summary = within(screen.getByRole("region", { name: "10 addresses validated" }));
    expect(summary.getByText("anna@company.com")).toBeTruthy();
  });

  it("[VAL-010] [VAL-030] that takes longer is tracked, and its end has the text of a batch", async () => {
    await start(
      { status: "queued" },
      {
        "GET /api/validate/batch/b1/status": () =>
          json(progress({ status: "completed", processed: 10, progress_percentage: 100 })),
      },
    );
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(screen.queryByText(/complete!/)).toBeNull();
    await pass(1_100);
    expect(screen.getByText("Batch processing complete! Validated 10 emails successfully!")).toBeTruthy();
    expect(screen.queryByText(/^Validation complete!/)).toBeNull();
  });

  it("[VAL-045] that is refused at its start stays open with the reason", async () => {
    const detail = "Insufficient credits. You need 8 but have 1.";
    await start({}, { "POST /api/validate/upload/upl_1/start": () => json({ detail }, 403) });
    expect(screen.getByRole("alert").textContent).toContain(detail);
    expect(screen.getByRole("heading", { name: "Review" })).toBeTruthy();
  });

  it("[VAL-045] can be thrown away, which leads back to the forms", async () => {
    const gone = vi.fn(() => json({ message: "Upload discarded." }));
    await upload(uploaded(), { ...settings, "DELETE /api/validate/upload/upl_1": gone });
    click("Remove file");
    await pass(10);
    expect(gone).toHaveBeenCalledTimes(1);
    expect(screen.getByLabelText("File with addresses")).toBeTruthy();
    expect(location.search).toBe("");
  });

  it("[VAL-045] is still there after a reload, unless it has gone meanwhile", async () => {
    history.replaceState(null, "", "/dashboard?upload=upl_1");
    serve({
      ...quiet,
      "GET /api/validate/upload/upl_1": () => json({ detail: "Upload not found" }, 404),
    });
    show(<Validate sandbox={false} />);
    await pass(10);
    expect(screen.getByText("Upload not found")).toBeTruthy();
    click("Choose another file");
    await pass(10);
    expect(screen.getByLabelText("File with addresses")).toBeTruthy();
  });

  it.each([
    ["the detail", (request: FakeRequest) => request.answer(400, { detail: "Odd file" }), "Odd file"],
    ["to try again", (request: FakeRequest) => request.onerror?.(), "File upload failed. Please try again."],
    [
      "that it took too long",
      (request: FakeRequest) => request.ontimeout?.(),
      "Upload timeout - file is too large or connection is slow. Please try again.",
    ],
    [
      "that it is too large",
      (request: FakeRequest) => request.answer(413, {}),
      "File is too large. Maximum size is 10MB.",
    ],
  ])("[VAL-011] that fails says %s, on the page and in a toast", async (_, end, message) => {
    await upload(end);
    await pass(300);
    expect(screen.getByRole("alert").textContent).toContain(message);
    expect(screen.getAllByText(message)).toHaveLength(2);
    expect(screen.getByText("list.csv")).toBeTruthy();
  });
});

it("the sample file has a header and the addresses of the sample list", () => {
  const save = vi.spyOn(download, "saveCsv").mockReturnValue();
  serve(quiet);
  show(<Validate sandbox />);
  fireEvent.click(screen.getByRole("button", { name: "Use a sample list" }));
  const list = screen.getByLabelText<HTMLTextAreaElement>(FIELD).value;
  fireEvent.click(screen.getByRole("button", { name: "Download a sample file" }));
  expect(save.mock.calls).toEqual([[`email\n${list}\n`, "sample.csv"]]);
});
