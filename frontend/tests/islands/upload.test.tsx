import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import Validate from "../../src/islands/validate";
import * as download from "../../src/lib/download";
import { batch, historyPage, listAnswer, progress, resultRow } from "../data";
import { pass, show } from "../render";
import { json, serve, type Handler } from "../server";
import { stubUpload, type FakeRequest } from "../uploads";

const quiet: Record<string, Handler> = {
  "GET /api/validate/batches": () => json(historyPage()),
  "GET /api/credits": () => json({ credits: 5 }),
};

function choose(name: string, size = 10): void {
  const file = new File(["x"], name);
  Object.defineProperty(file, "size", { value: size });
  fireEvent.change(screen.getByLabelText("File with addresses"), { target: { files: [file] } });
}

const press = () => fireEvent.click(screen.getByRole("button", { name: "Validate file" }));

it("[VAL-008] must be chosen, of a known type and at most 10 MB", () => {
  serve(quiet);
  show(<Validate sandbox={false} />);
  const said = () => screen.getAllByRole("alert").map(({ textContent }) => textContent);
  press();
  expect(said()).toEqual(["Choose a file first"]);
  choose("list.pdf");
  expect(said()).toEqual(["Only .csv, .xlsx, .xls and .txt files are supported"]);
  choose("list.csv", 10_485_761);
  expect(said()).toEqual(["File is too large. Maximum size is 10MB."]);
  choose("list.csv");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("list.csv")).toBeTruthy();
});

describe("an upload", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  async function upload(end: (request: FakeRequest) => void, handlers: Record<string, Handler> = {}) {
    stubUpload(end);
    serve({ ...quiet, ...handlers });
    show(<Validate sandbox={false} />);
    choose("list.csv");
    press();
    await pass(10);
  }

  it("[VAL-010] [VAL-012] [VAL-030] answered at once shows the counts and the results", async () => {
    const answer = listAnswer({ total_emails: 1234, valid_count: 1200, invalid_count: 34 });
    await upload((request) => request.answer(200, answer));
    expect(screen.getByText("Validation complete! 1,200 valid, 34 invalid")).toBeTruthy();
    expect(screen.queryByText(/^Batch processing complete/)).toBeNull();
    expect(screen.queryByRole("dialog")).toBeNull();
    const summary = within(screen.getByRole("region", { name: "1,234 addresses validated" }));
    expect(summary.getByText("anna@company.com")).toBeTruthy();
    expect(summary.getByText("gone@company.com")).toBeTruthy();
  });

  it("[VAL-010] [VAL-030] that takes longer is tracked, and its end has the text of a batch", async () => {
    const answer = listAnswer({ status: "queued", results: [], total_processed: 0 });
    await upload((request) => request.answer(202, answer), {
      "GET /api/validate/batch/b1/status": () =>
        json(progress({ status: "completed", processed_emails: 10, progress_percentage: 100 })),
      "GET /api/validate/batch/b1": () =>
        json({ ...batch(), emails: [resultRow()], page: 1, page_size: 5, total: 10, next: 2 }),
    });
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(screen.queryByText(/complete!/)).toBeNull();
    await pass(1_100);
    expect(screen.getByText("Batch processing complete! Validated 10 emails successfully!")).toBeTruthy();
    expect(screen.queryByText(/^Validation complete!/)).toBeNull();
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
  const list = screen.getByLabelText<HTMLTextAreaElement>("Paste a list").value;
  fireEvent.click(screen.getByRole("button", { name: "Download a sample file" }));
  expect(save.mock.calls).toEqual([[`email\n${list}\n`, "sample.csv"]]);
});
