import { act, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import Results from "../../src/islands/results";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { batchDetail, result, resultRow } from "../data";
import { show } from "../render";
import { json, refusal, serve, type Call } from "../server";

const detail = batchDetail();

function open(page: (call: Call) => unknown) {
  const calls = serve({
    "GET /api/validate/batch/b1": () => json(detail),
    "GET /api/validate/batch/b1/results": (call) => json(page(call)),
    "GET /api/validate/batch/b1/export": () => new Response("email\r\n"),
    "GET /api/validate/result/1": () => json(result()),
  });
  const asked = () =>
    calls.filter(({ path }) => path.endsWith("/results")).map(({ query }) => query.toString());
  return { calls, asked, user: show(<Results batch_id="b1" />) };
}

const onePage = () => ({ results: [resultRow()], total: 1, total_is_least: false, next_cursor: null });

it("[VAL-048] search, category, sort and page are asked of the server and kept in the address", async () => {
  history.replaceState(null, "", "/dashboard/batch/b1");
  const { asked, user } = open(({ query }) => ({
    ...onePage(),
    total: 120,
    next_cursor: query.has("cursor") ? null : "c2",
  }));
  await screen.findByText("anna@company.com");
  await user.click(screen.getByRole("button", { name: "Confidence" }));
  await user.click(screen.getByRole("button", { name: "Confidence" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Category" }), "valid");
  await user.type(screen.getByRole("searchbox", { name: "Search addresses" }), "anna");
  await vi.waitFor(() => expect(location.search).toBe("?sort=-confidence&category=valid&search=anna"));
  await user.click(await screen.findByRole("button", { name: "Next" }));
  expect(location.search).toBe("?sort=-confidence&category=valid&search=anna&cursor=c2&page=2");
  await screen.findByRole("button", { name: "Previous" });
  expect(asked()).toEqual([
    "limit=50&sort=row",
    "limit=50&sort=confidence",
    "limit=50&sort=-confidence",
    "limit=50&sort=-confidence&category=valid",
    "limit=50&sort=-confidence&search=anna&category=valid",
    "limit=50&sort=-confidence&search=anna&category=valid&cursor=c2",
  ]);
  expect(screen.getByRole("columnheader", { name: "Confidence" }).getAttribute("aria-sort")).toBe(
    "descending",
  );
  await user.click(screen.getByRole("button", { name: "Previous" }));
  expect(location.search).toBe("?sort=-confidence&category=valid&search=anna");
});

it("[VAL-048] the address brings the view back", async () => {
  history.replaceState(null, "", "/dashboard/batch/b1?category=invalid&sort=-email&cursor=c9&page=4");
  const { asked } = open(() => ({ ...onePage(), total: 151 }));
  expect(await screen.findByText("151–151 of 151")).toBeTruthy();
  expect(asked()).toEqual(["limit=50&sort=-email&category=invalid&cursor=c9"]);
  expect(screen.getByRole("button", { name: "First page" })).toBeTruthy();
});

it("[VAL-048] a search that was not counted to its end says so twice", async () => {
  history.replaceState(null, "", "/dashboard/batch/b1?search=anna");
  open(() => ({ ...onePage(), total: 10_000, total_is_least: true, next_cursor: "c2" }));
  expect(await screen.findByText("1–1 of more than 10,000")).toBeTruthy();
  expect(screen.getByText("more than 10,000 matches")).toBeTruthy();
});

it("[VAL-048] Previous leads to the page before, also after the browser went back", async () => {
  history.replaceState(null, "", "/dashboard/batch/b1");
  const rows = { first: "anna@company.com", c2: "ben@company.com", c3: "cleo@company.com" };
  const after = { first: "c2", c2: "c3", c3: null };
  const { user } = open(({ query }) => {
    const at = (query.get("cursor") ?? "first") as keyof typeof rows;
    return { results: [resultRow({ email: rows[at] })], total: 150, next_cursor: after[at] };
  });
  await user.click(await screen.findByRole("button", { name: "Next" }));
  await screen.findByText(rows.c2);
  await user.click(screen.getByRole("button", { name: "Next" }));
  await screen.findByText(rows.c3);
  act(() => {
    history.replaceState(null, "", "/dashboard/batch/b1?cursor=c2&page=2");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await screen.findByText(rows.c2);
  await user.click(screen.getByRole("button", { name: "Previous" }));
  expect(await screen.findByText(rows.first)).toBeTruthy();
  expect(location.search).toBe("");
});

it("a list that cannot be read again stays, with a note", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let broken = false;
  serve({
    "GET /api/validate/batch/b1": () =>
      broken ? refusal(400, "VALIDATION_ERROR", "Not now.") : json({ ...detail, status: "processing" }),
    "GET /api/validate/batch/b1/results": () => json(onePage()),
  });
  show(<Results batch_id="b1" />);
  expect(await screen.findByText("anna@company.com")).toBeTruthy();
  broken = true;
  await act(() => vi.advanceTimersByTimeAsync(2_500));
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Not now. These values are from just now.",
  );
  expect(screen.getByText("anna@company.com")).toBeTruthy();
});

it("no match offers to clear the filters", async () => {
  history.replaceState(null, "", "/dashboard/batch/b1?search=nobody");
  const { user } = open(({ query }) =>
    query.has("search") ? { results: [], total: 0, next_cursor: null } : onePage(),
  );
  await user.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("anna@company.com")).toBeTruthy();
  expect(location.search).toBe("");
});

it("a row opens its evidence and conversation", async () => {
  const { user } = open(onePage);
  await user.click(await screen.findByRole("button", { name: "anna@company.com" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Validation Details" }));
  expect((await dialog.findByRole("blockquote")).textContent).toBe("250 2.1.5 OK");
  const conversation = within(dialog.getByRole("list", { name: "Conversation with the mail server" }));
  expect(conversation.getByText("RCPT TO:<anna@company.com>").previousSibling?.textContent).toBe("We");
});

it("[VAL-073] a segment is fetched with the token and saved under the list's name", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { calls, user } = open(onePage);
  await user.click(await screen.findByRole("button", { name: "Download" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }));
  expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Original file with resultsEvery row as you uploaded it, 3 duplicates included, with the verdicts in new columns",
    "All in one zipThree CSV files: to send to, to review, to suppress",
    "All results10",
    "Duplicates removedThe same lines: every address was checked once, and is listed once.10",
    "Safe to send6",
    "Risky to send1",
    "Do not send3",
    "Catch-all1",
    "Unknown1",
    "Invalid2",
    "Disposable1",
    "Role addressesSuch as info@ and sales@.2",
    "Typing errorsNo addresses in this segment0",
  ]);
  await user.click(dialog.getByRole("button", { name: /Safe to send/ }));
  expect(await screen.findByText(`Export completed: batch-list-safe-${formatDay()}.csv`)).toBeTruthy();
  const asked = calls.filter(({ path }) => path.endsWith("/export"));
  expect(asked.map(({ query, headers }) => [query.toString(), headers.get("Authorization")])).toEqual([
    ["format=csv&segment=safe", "Bearer token-1"],
  ]);
  expect(save.mock.calls.map(([, name]) => name)).toEqual([`batch-list-safe-${formatDay()}.csv`]);
});

it("[VAL-072] [VAL-073] the original file and the other formats are a press away", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { calls, user } = open(onePage);
  await user.click(await screen.findByRole("button", { name: "Download" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }));
  await user.click(dialog.getByRole("button", { name: /Original file with results/ }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Format" }), "XLSX");
  await user.click(dialog.getByRole("button", { name: /Duplicates removed/ }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Format" }), "As uploaded");
  expect(dialog.queryByRole("button", { name: /All results/ })).toBeNull();
  await user.click(dialog.getByRole("button", { name: /Risky to send/ }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(3));
  const asked = calls.filter(({ path }) => path.endsWith("/export")).map(({ query }) => query.toString());
  expect(asked).toEqual([
    "format=original&segment=all",
    "format=xlsx&segment=unique",
    "format=original&segment=risky",
  ]);
  expect(save.mock.calls.map(([, name]) => name)).toEqual([
    `batch-list-with-results-${formatDay()}.csv`,
    `batch-list-unique-${formatDay()}.xlsx`,
    `batch-list-with-results-risky-${formatDay()}.csv`,
  ]);
});

it("[REP-028] [REP-031] [REP-032] the zip, files for programs and empty parts are downloaded as well", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { calls, user } = open(onePage);
  await user.click(await screen.findByRole("button", { name: "Download" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }));
  await user.click(dialog.getByRole("button", { name: /All in one zip/ }));
  await user.selectOptions(dialog.getByRole("combobox", { name: "Format" }), "Klaviyo");
  await user.click(dialog.getByRole("button", { name: /Typing errors.*No addresses in this segment/ }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  const asked = calls.filter(({ path }) => path.endsWith("/export")).map(({ query }) => query.toString());
  expect(asked).toEqual(["format=zip&segment=all", "format=klaviyo&segment=typo"]);
  expect(save.mock.calls.map(([, name]) => name)).toEqual([
    `batch-list-all-in-one-${formatDay()}.zip`,
    `batch-list-klaviyo-typo-${formatDay()}.csv`,
  ]);
});

it("[REP-026] [REP-027] columns can be left out, and formulas be left as they are for one download", async () => {
  vi.spyOn(download, "saveBlob").mockReturnValue();
  const { calls, user } = open(onePage);
  await user.click(await screen.findByRole("button", { name: "Download" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Download results" }));
  await user.click(dialog.getByText("Columns and formulas"));
  await user.click(dialog.getByRole("checkbox", { name: /mx_host/ }));
  await user.click(dialog.getByRole("checkbox", { name: /reason_text/ }));
  await user.click(dialog.getByRole("checkbox", { name: /Leave formulas as they are/ }));
  expect(dialog.getByText("Programs that run formulas may run these cells")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: /Original file with results/ }));
  await vi.waitFor(() => expect(dialog.queryByText(/Programs that run/)).toBeNull());
  await user.click(dialog.getByRole("button", { name: /All results/ }));
  const asked = () => calls.filter(({ path }) => path.endsWith("/export")).map(({ query }) => query);
  await vi.waitFor(() => expect(asked()).toHaveLength(2));
  expect(asked().map((query) => Object.fromEntries(query))).toEqual([
    {
      format: "original",
      segment: "all",
      formulas: "raw",
      columns: "email_checked,category,reason,confidence,label,did_you_mean,is_role,is_free",
    },
    { format: "csv", segment: "all" },
  ]);
});
