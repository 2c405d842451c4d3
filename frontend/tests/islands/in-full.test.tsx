// Which checks a list and a result have had, and the way to those that were left out.
import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { BatchDetail, BatchProgress } from "../../src/api/types";
import { BatchCard } from "../../src/features/validation/batches/history/batch-card";
import { IndividualCard } from "../../src/features/validation/batches/history/individual-card";
import ResultPage from "../../src/islands/result";
import Results from "../../src/islands/results";
import Validate from "../../src/islands/validate";
import { formatResultsCsv } from "../../src/features/validation/results/results-csv";
import { queryClient } from "../../src/lib/query";
import { batch, batchDetail, historyPage, progress, result, resultRow } from "../data";
import { pass, show } from "../render";
import { json, refusal, serve, type Handler } from "../server";
import { stubTypedList, typedStart } from "../uploads";

const FIELD = "Single address, or paste a list";

const BASIC = { checks: "basic", unknown_count: 4, not_in_plan_count: 3 } as const;
const LEFT_OUT = { checks: "basic", smtp_valid: null, disposable: null, is_catch_all: null } as const;
const IN_FULL = "POST /api/validate/batch/b1/check-in-full";

beforeEach(() => queryClient.clear());

function open(change: Partial<BatchDetail>, others: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/validate/batch/b1": () => json(batchDetail(change)),
    "GET /api/validate/batch/b1/results": () => json({ results: [], total: 0, next_cursor: null }),
    ...others,
  });
  const user = show(<Results batch_id="b1" />);
  const posted = () => calls.filter(({ method }) => method === "POST").map(({ path }) => path);
  return { calls, user, posted };
}

describe("what basic checks left open", () => {
  it("[PEN-026] is offered with the most it can cost, asked for and started once", async () => {
    const answer = { status: "queued", checking: 3, message: "Checking 3 addresses in full" };
    const { calls, user, posted } = open({ ...BASIC, in_full_cost: 3 }, { [IN_FULL]: () => json(answer) });
    const offer = within(await screen.findByRole("region", { name: "Basic checks" }));
    expect(offer.getByText("Basic checks left 3 addresses open: not included in your plan.")).toBeTruthy();
    expect(offer.getByText("Checking these in full costs 3 credits at most.")).toBeTruthy();
    await user.click(offer.getByRole("button", { name: "Check these in full" }));
    const asked = within(screen.getByRole("dialog", { name: "Check these in full?" }));
    expect(
      asked.getByText(
        "3 addresses will have every check, for 3 credits at most: each is charged as a new check.",
      ),
    ).toBeTruthy();
    expect(posted()).toEqual([]);
    await user.click(asked.getByRole("button", { name: "Check these in full" }));
    expect(await screen.findByText("Checking 3 addresses in full")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(posted()).toEqual(["/api/validate/batch/b1/check-in-full"]);
    expect(calls.find(({ method }) => method === "POST")?.headers.get("Idempotency-Key")?.length).toBe(32);
  });

  it("[PEN-026] is left alone by who says not now", async () => {
    const { user, posted } = open({ ...BASIC, in_full_cost: 3 });
    await user.click(await screen.findByRole("button", { name: "Check these in full" }));
    await user.click(screen.getByRole("button", { name: "Not now" }));
    expect([screen.queryByRole("dialog"), posted()]).toEqual([null, []]);
  });

  it("[PEN-026] a refusal stays in the dialog, with the way to more credits", async () => {
    const detail = "Insufficient credits. You need 3 but have 2.";
    const { user } = open(
      { ...BASIC, in_full_cost: 3 },
      { [IN_FULL]: () => refusal(403, "QUOTA_EXCEEDED", detail) },
    );
    await user.click(await screen.findByRole("button", { name: "Check these in full" }));
    const asked = within(screen.getByRole("dialog"));
    await user.click(asked.getByRole("button", { name: "Check these in full" }));
    expect((await asked.findByRole("alert")).textContent).toContain(detail);
    expect(asked.getByRole("link", { name: "Upgrade" })).toBeTruthy();
  });

  it("[PEN-026] without a plan or enough credits names what it needs, and has no button", async () => {
    open({ ...BASIC, in_full_cost: null });
    const offer = within(await screen.findByRole("region", { name: "Basic checks" }));
    expect(
      offer.getByText(
        "These can be checked in full in the Growth trial, with a paid plan, or with a pack of at least 3 credits.",
      ),
    ).toBeTruthy();
    const link = offer.getByRole("link", { name: "See plans and packs" });
    expect([link.getAttribute("href"), offer.queryByRole("button")]).toEqual([
      "/dashboard?tab=pricing",
      null,
    ]);
  });

  it("[PEN-026] there is no offer where nothing was left open", async () => {
    open({ unknown_count: 4 });
    await screen.findByRole("button", { name: "Re-check unknown" });
    expect(screen.queryByRole("region", { name: "Basic checks" })).toBeNull();
  });

  it("[VAL-047] [PEN-026] is no part of the free second look", async () => {
    const { user } = open({ ...BASIC, in_full_cost: 3 });
    await user.click(await screen.findByRole("button", { name: "Re-check unknown" }));
    expect(screen.getByRole("dialog").textContent).toContain("1 unknown address will be checked again.");
  });

  it("[VAL-047] [PEN-026] alone brings no free second look", async () => {
    open({ ...BASIC, unknown_count: 3, in_full_cost: 3 });
    await screen.findByRole("button", { name: "Check these in full" });
    expect(screen.queryByRole("button", { name: "Re-check unknown" })).toBeNull();
  });

  it("[PEN-026] cut short, what is left keeps what basic checks said, and its credits come back", async () => {
    const { user } = open({
      status: "processing",
      processed: 8,
      rechecked_at: "2025-03-01T11:00:00Z",
      checking_in_full: true,
    });
    expect(
      await screen.findByText(/^The addresses that basic checks left open are being checked/),
    ).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel batch" }));
    expect(screen.getByRole("dialog").textContent).toContain(
      "The other 2 keep what basic checks said. Their credits, 2 at most, come back at once.",
    );
  });
});

it.each<[string, Partial<BatchProgress>, string]>([
  ["what was left open", { checking_in_full: true }, "Checking in full what basic checks left open"],
  ["a list", {}, "Validating list.csv"],
])("[PEN-026] the tracker says that %s is being checked", async (_, change, title) => {
  vi.useFakeTimers();
  serve({
    "GET /api/validate/batches": () => json(historyPage({ batches: [batch({ status: "processing" })] })),
    "GET /api/credits": () => json({ credits: 5 }),
    "GET /api/validate/batch/b1/status": () => json(progress(change)),
  });
  show(<Validate sandbox={false} />);
  await pass(10);
  expect(
    within(screen.getByRole("region", { name: "Batch progress" })).getByRole("heading").textContent,
  ).toBe(title);
});

describe.each([
  ["full", "Full checks"],
  ["basic", "Basic checks"],
] as const)("%s checks", (checks, words) => {
  it("[PEN-023] are named on the page of a list", async () => {
    open({ checks });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it("[PEN-023] are named on the page of a result", async () => {
    serve({ "GET /api/validate/result/1": () => json(result({ checks })) });
    show(<ResultPage result_id="1" />);
    const facts = within(await screen.findByRole("region", { name: "Validation info" }));
    expect(facts.getByText(words).closest("dd")?.previousSibling?.textContent).toBe("Checks");
  });

  it("[PEN-023] are named in the details of a row, and in its line where they were basic", async () => {
    const results = [resultRow({ checks, reason: "no_domain" })];
    const { user } = open(
      { checks: "basic" },
      { "GET /api/validate/batch/b1/results": () => json({ results, total: 1, next_cursor: null }) },
    );
    const opener = await screen.findByRole("button", { name: "anna@company.com" });
    const line = within(opener.closest("tr") as HTMLElement);
    expect(line.getByText(/^Domain does not exist/u).textContent).toBe(
      checks === "basic" ? "Domain does not exist, basic checks" : "Domain does not exist",
    );
    await user.click(opener);
    const details = within(await screen.findByRole("dialog", { name: "Validation Details" }));
    expect(details.getByText(words).closest("dd")?.previousSibling?.textContent).toBe("Checks");
  });

  it("[PEN-023] are named in the history, of lists and of single checks", async () => {
    const user = show(<BatchCard batch={batch({ checks })} box={null} selected={false} />);
    expect(screen.getByText(words)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Details" }));
    expect(
      within(screen.getByRole("dialog")).getByText(words).closest("dd")?.previousSibling?.textContent,
    ).toBe("Checks");
    show(<IndividualCard row={resultRow({ checks })} box={null} selected={false} />);
    expect(screen.getByText(new RegExp(`, ${words.toLowerCase()}$`, "u"))).toBeTruthy();
  });

  it("[PEN-023] are named in the report on an address and below a list that was checked at once", async () => {
    serve({
      "GET /api/validate/batches": () => json(historyPage()),
      "GET /api/credits": () => json({ credits: 5 }),
      "POST /api/validate/single": () => json(result({ checks })),
      "POST /api/validate/upload/upl_1/start": typedStart("completed"),
      "GET /api/validate/batch/b1": () =>
        json(batchDetail({ checks, total_emails: 2, credits_used: 2, duplicates_removed: 0 })),
    });
    stubTypedList({ checks });
    const user = show(<Validate sandbox={false} />);
    await user.type(screen.getByLabelText(FIELD), "anna@company.com{Enter}");
    const report = within(await screen.findByRole("region", { name: "anna@company.com" }));
    expect(report.getByText(words).closest("dd")?.previousSibling?.textContent).toBe("Checks");
    fireEvent.change(screen.getByLabelText(FIELD), {
      target: { value: "anna@company.com\nben@company.com" },
    });
    await user.click(screen.getByRole("button", { name: "Validate list" }));
    const summary = within(await screen.findByRole("region", { name: "2 addresses validated" }));
    expect(summary.getByText(words).closest("p")?.textContent).toBe(`${words}, 2 credits used`);
  });

  it("[PEN-023] are named in the files that the browser makes", () => {
    const [head, row] = formatResultsCsv([resultRow({ checks })])
      .trim()
      .split("\r\n");
    expect([head?.split(",").at(-1), row?.split(",").at(-1)]).toEqual(['"checks"', `"${checks}"`]);
  });
});

it("[PEN-024] what basic checks left out reads so, and the plans are one press away", async () => {
  serve({ "GET /api/validate/result/1": () => json(result(LEFT_OUT)) });
  show(<ResultPage result_id="1" />);
  const checks = within(await screen.findByRole("region", { name: "Technical checks" }));
  expect(
    checks.getAllByText("Not included in your plan").map((one) => one.previousSibling?.textContent),
  ).toEqual(["Mailbox (SMTP)", "Disposable", "Catch-all"]);
  expect(checks.getByRole("link", { name: "Upgrade" }).getAttribute("href")).toBe("/dashboard?tab=pricing");
});

it("[PEN-024] what full checks did not come to was not left out by the plan", async () => {
  serve({ "GET /api/validate/result/1": () => json(result({ ...LEFT_OUT, checks: "full" })) });
  show(<ResultPage result_id="1" />);
  const checks = within(await screen.findByRole("region", { name: "Technical checks" }));
  expect(checks.getAllByText("Not checked")).toHaveLength(3);
  expect(checks.queryByText("Not included in your plan")).toBeNull();
});
