// A list that waits: what is said before it starts and while it runs; and an address that nobody was asked about.
import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { BatchProgress, Draft, Estimate } from "../../src/api/types";
import ResultPage from "../../src/islands/result";
import Try from "../../src/islands/try";
import Validate from "../../src/islands/validate";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { navigation } from "../../src/lib/session";
import { batch, draft, estimate, historyPage, progress, result, waitingFor } from "../data";
import { pass, show } from "../render";
import { json, serve, type Handler } from "../server";

const FIELD = "Single address, or paste a list";

const NOW = "2025-03-01T10:00:00Z";
const quiet: Record<string, Handler> = {
  "GET /api/validate/batches": () => json(historyPage()),
  "GET /api/credits": () => json({ credits: 5 }),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date(NOW));
  history.replaceState(null, "", "/dashboard");
});

describe("the review of a list", () => {
  async function review(told: Estimate | null, change: Partial<Draft> = {}) {
    history.replaceState(null, "", "/dashboard?upload=upl_1");
    const calls = serve({
      ...quiet,
      "GET /api/validate/upload/upl_1": () => json(draft({ estimate: told, ...change })),
      "POST /api/validate/upload/upl_1/start": () =>
        json({ batch_id: "b1", status: "queued", held: 8, estimate: told }),
      "GET /api/validate/batch/b1/status": () => json(progress()),
    });
    show(<Validate sandbox={false} />);
    await pass(10);
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await pass(10);
    return () => calls.filter(({ path }) => path.endsWith("/start")).length;
  }

  const start = () => screen.getByRole<HTMLButtonElement>("button", { name: "Start validation" });

  it("[A6] says how long it takes, by operator, and what is done meanwhile", async () => {
    await review(estimate());
    expect(
      screen.getByText("About 1 h 32 min: Yahoo takes longest, 110,000 addresses at 1,200 a minute."),
    ).toBeTruthy();
    const rows = within(screen.getByRole("table", { name: "Time by mail operator" })).getAllByRole("row");
    expect(
      rows.slice(1).map((row) =>
        within(row)
          .getAllByRole("cell")
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ["Yahoo", "110,000", "1,200", "1 h 32 min"],
      ["Google", "250,000", "6,000", "42 min"],
    ]);
    expect(screen.getByText(/Other addresses are finished\s+first/).textContent).toContain("partial results");
    expect(start().disabled).toBe(false);
    expect(screen.queryByText(/more than a day/)).toBeNull();
  });

  it.each([
    ["nothing is known", null],
    ["it is soon over", estimate({ seconds: 9, operators: [] })],
    ["it takes under ten seconds", estimate({ seconds: 9 })],
  ])("[A6] says nothing of the time where %s", async (_, told) => {
    await review(told);
    expect(screen.queryByRole("heading", { name: "Time" })).toBeNull();
    expect(start().disabled).toBe(false);
  });

  it("[A6] of more than a day warns, says what can be done, and starts only after a second step", async () => {
    const started = await review(estimate({ seconds: 187_200, over_a_day: true }));
    expect(screen.getByText("This list takes more than a day: 2 days 4 h at least.")).toBeTruthy();
    const ways = ["Start it anyway", "Split it", "Ask us"].map((way) => screen.queryByText(new RegExp(way)));
    expect(ways).not.toContain(null);
    expect(start().disabled).toBe(true);
    fireEvent.click(screen.getByLabelText("Start it although it takes 2 days 4 h"));
    expect(start().disabled).toBe(false);
    fireEvent.click(start());
    await pass(10);
    expect(started()).toBe(1);
  });

  it("[A6] of more than a day without enough credits does not start all the same", async () => {
    await review(estimate({ seconds: 187_200, over_a_day: true }), { cost: 900, credits: 8 });
    fireEvent.click(screen.getByLabelText(/^Start it although/));
    expect(start().disabled).toBe(true);
  });
});

describe("a list that runs", () => {
  async function follow(...answers: Partial<BatchProgress>[]) {
    const queue = answers.map((change) => progress(change));
    const last = queue.at(-1);
    const calls = serve({
      "GET /api/validate/batches": () => json(historyPage({ batches: [batch({ status: "processing" })] })),
      "GET /api/credits": () => json({ credits: 5 }),
      "GET /api/validate/batch/b1/status": () => json(queue.shift() ?? last),
      "GET /api/validate/batch/b1": () =>
        json({
          ...batch({ status: "processing" }),
          emails: [],
          page: 1,
          page_size: 1,
          next: null,
        }),
      "GET /api/validate/batch/b1/export": () => new Response("email\r\n"),
    });
    show(<Validate sandbox={false} />);
    await pass(10);
    await pass(10);
    return { calls, panel: within(screen.getByRole("region", { name: "Batch progress" })) };
  }

  const lines = () =>
    within(screen.getByRole("list", { name: "What rows wait for" }))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent);

  const yahoo = waitingFor({ until: "2025-03-01T10:01:50Z" });
  const others = ["Google", "Apple", "GMX", "Orange"].map((name, index) =>
    waitingFor({ operator: name.toLowerCase(), name, rows: 40 - index, until: "2025-03-01T10:00:12Z" }),
  );

  it("[A6] says what its rows wait for, and a time left that is not less", async () => {
    const { panel } = await follow({ waiting: 412, waiting_for: [yahoo], seconds_left: 6 });
    expect(panel.getByText("412 rows wait")).toBeTruthy();
    expect(lines()).toEqual(["412 rows wait for Yahoo's limit, about 2 min"]);
    expect(panel.getByText(/^Time left/).textContent).toMatch(/^Time left 1 min (49|50) s$/);
    expect(panel.getByText("Rows wait for Yahoo's limit.").getAttribute("role")).toBe("status");
  });

  it("[A6] says so where nothing waits", async () => {
    const { panel } = await follow({ seconds_left: 6 });
    expect(panel.getByText("No rows wait")).toBeTruthy();
    expect(panel.getByText("Time left 6 s")).toBeTruthy();
  });

  it("[A6] names the three operators for which most wait, and the others when asked", async () => {
    const { panel } = await follow({ waiting: 566, waiting_for: [yahoo, ...others] });
    expect(lines()).toHaveLength(3);
    fireEvent.click(panel.getByRole("button", { name: "and 2 more", expanded: false }));
    expect(lines()).toHaveLength(5);
    expect(lines()[4]).toBe("37 rows wait for Orange's limit, about 20 s");
    fireEvent.click(panel.getByRole("button", { name: "Show less", expanded: true }));
    expect(lines()).toHaveLength(3);
  });

  it("[A6] gives the results so far, as a file and as a page", async () => {
    const save = vi.spyOn(download, "saveBlob").mockReturnValue();
    const { calls, panel } = await follow({});
    expect(panel.getByRole("link", { name: "Open results so far" }).getAttribute("href")).toBe(
      "/dashboard/batch/b1",
    );
    fireEvent.click(panel.getByRole("button", { name: "Download results so far" }));
    await pass(10);
    const name = `batch-list-so-far-${formatDay(new Date(NOW))}.csv`;
    expect(save.mock.calls.map(([, saved]) => saved)).toEqual([name]);
    expect(screen.getByText(`Export completed: ${name}`)).toBeTruthy();
    const asked = calls.filter(({ path }) => path.endsWith("/export"));
    expect(asked.map(({ query }) => query.toString())).toEqual(["format=csv&segment=all"]);
  });

  it("[A6] has nothing to download before the first result, and nothing so far once it has ended", async () => {
    const { panel } = await follow({ processed: 0 }, { status: "cancelled" });
    const button = panel.getByRole<HTMLButtonElement>("button", { name: "Download results so far" });
    expect(button.disabled).toBe(true);
    await pass(2_000);
    expect(screen.queryByRole("button", { name: "Download results so far" })).toBeNull();
    expect(screen.queryByText("No rows wait")).toBeNull();
  });
});

describe("an address that nobody was asked about", () => {
  const SENTENCE = "We have reached our own limit at Yahoo; ask again in 12 s.";
  const notAsked = result({
    id: "7",
    email: "anna@yahoo.com",
    category: "unknown",
    reason: "not_asked",
    sentence: SENTENCE,
    details: { domain: "yahoo.com", category_reason: SENTENCE },
    retry_after: 12,
    credits_used: 0,
    validated_at: NOW,
  });

  const again = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

  it("[A1] is unknown, says why, and is checked again once it is worth asking", async () => {
    const answers = [notAsked, result({ id: "8", email: "anna@yahoo.com" })];
    serve({ ...quiet, "POST /api/validate/single": () => json(answers.shift()) });
    show(<Validate sandbox={false} />);
    fireEvent.change(screen.getByLabelText(FIELD), { target: { value: "anna@yahoo.com" } });
    fireEvent.click(screen.getByRole("button", { name: "Validate" }));
    await pass(10);
    expect(screen.queryByText("Email validated successfully!")).toBeNull();
    expect(screen.getByText("Unknown")).toBeTruthy();
    expect(screen.getByText(SENTENCE)).toBeTruthy();
    expect(screen.getByText(/^Free: this check cost no credit/)).toBeTruthy();
    expect(again("Check again in 12 s").disabled).toBe(true);
    await pass(7_000);
    expect(again("Check again in 5 s").disabled).toBe(true);
    await pass(5_000);
    fireEvent.click(again("Check again"));
    await pass(10);
    expect(screen.getByText("The mail server accepted the mailbox.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Check again/ })).toBeNull();
  });

  it("[A1] has a page that waits for what is left of the time, and leads to the new verdict", async () => {
    vi.setSystemTime(new Date("2025-03-01T10:00:08Z"));
    const go = vi.spyOn(navigation, "go").mockReturnValue();
    serve({
      "GET /api/validate/result/7": () => json(notAsked),
      "POST /api/validate/single": () => json(result({ id: "8", email: "anna@yahoo.com" })),
    });
    show(<ResultPage result_id="7" />);
    await pass(10);
    expect(again("Check again in 4 s").disabled).toBe(true);
    await pass(4_000);
    fireEvent.click(again("Check again"));
    await pass(10);
    expect(go.mock.calls).toEqual([["/dashboard/result/8"]]);
  });

  it("[A1] is tried again by a visitor who has tries left", async () => {
    const answers = [
      { ...notAsked, remaining: 4 },
      { ...notAsked, remaining: 0 },
    ];
    serve({ "POST /api/try": () => json(answers.shift()) });
    show(<Try email="anna@yahoo.com" sandbox={false} signed_in={false} free_credits={100} />);
    await pass(10);
    expect(screen.getByText(SENTENCE)).toBeTruthy();
    await pass(12_000);
    fireEvent.click(again("Check again"));
    await pass(10);
    expect(screen.getByText("That was the last try of this hour.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Check again/ })).toBeNull();
  });
});
