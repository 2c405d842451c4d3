import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import History from "../../src/islands/history";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { historyPage, listAnswer, overview, progress, result } from "../data";
import { full, openHistory } from "../history-page";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

describe("[look-14] the first check", () => {
  /** An account whose history is filled by the first check. */
  const prepare = (check: Handler, handlers: Record<string, Handler> = {}) => {
    let filled = false;
    const fill: Handler = (request) => {
      filled = true;
      return check(request);
    };
    return serve({
      "GET /api/analytics/dashboard": () => json(overview()),
      "GET /api/auth/me": () => json({ email: "ida@harborquill.com" }),
      "GET /api/validate/batches": () => json(filled ? full : historyPage()),
      "POST /api/validate/bulk": fill,
      "POST /api/validate/single": fill,
      ...handlers,
    });
  };

  it("of a simulated world is the sample list, and the page fills in its place", async () => {
    const calls = prepare(() => json(listAnswer()));
    const user = show(<History sandbox />);
    await user.click(await screen.findByRole("button", { name: "Check a sample list" }));
    expect(await screen.findByRole("heading", { name: "list.csv" })).toBeTruthy();
    const sent = calls.find(({ path }) => path === "/api/validate/bulk")?.body ?? "";
    expect(JSON.parse(sent)).toMatchObject({ emails: { length: 8 } });
    expect(document.activeElement?.contains(screen.getByRole("heading", { name: "list.csv" }))).toBe(true);
    expect(document.querySelector("[data-sonner-toast]")).toBeNull();
  });

  it("follows a list that is not finished at once, then fills the page", async () => {
    prepare(() => json(listAnswer({ status: "processing" }), 202), {
      "GET /api/validate/batch/b1/status": () =>
        json(progress({ batch_id: "b1", status: "completed", processed: 8, total_emails: 8 })),
    });
    const user = show(<History sandbox />);
    await user.click(await screen.findByRole("button", { name: "Check a sample list" }));
    expect(await screen.findByRole("region", { name: "Batch progress" })).toBeTruthy();
    expect(await screen.findByRole("heading", { name: "list.csv" }, { timeout: 4_000 })).toBeTruthy();
  });

  it("elsewhere is of the own address", async () => {
    const calls = prepare(() => json(result()));
    const user = show(<History />);
    await screen.findByText("ida@harborquill.com, one credit at most.");
    await user.click(screen.getByRole("button", { name: "Check your own address" }));
    expect(await screen.findByRole("heading", { name: "list.csv" })).toBeTruthy();
    const sent = calls.find(({ path }) => path === "/api/validate/single")?.body ?? "";
    expect(JSON.parse(sent)).toEqual({ email: "ida@harborquill.com", repair: true });
  });

  it("says once, in its place, why it failed", async () => {
    prepare(() => json({}), {
      "POST /api/validate/bulk": () => refusal(402, "QUOTA_EXCEEDED", "Not enough credits"),
    });
    const user = show(<History sandbox />);
    await user.click(await screen.findByRole("button", { name: "Check a sample list" }));
    expect(await screen.findAllByText("Not enough credits")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Upgrade" })).toBeTruthy();
  });
});

describe("[look-04] several at once", () => {
  const select = async (user: ReturnType<typeof show>, ...names: string[]) => {
    await screen.findByRole("heading", { name: "list.csv" });
    for (const name of names) await user.click(screen.getByRole("checkbox", { name: `Select ${name}` }));
    return within(screen.getByRole("group", { name: "Selected rows" }));
  };

  it("are read into one file, and one message says what failed", async () => {
    const saved = vi.spyOn(download, "saveCsv").mockImplementation(() => undefined);
    const { user } = openHistory({
      "GET /api/validate/batch/b2/results": () => refusal(500, "ODD", "The server is out of order"),
    });
    const bar = await select(user, "list.csv", "Pasted list", "anna@company.com");
    expect(bar.getByText("3 selected")).toBeTruthy();
    await user.click(bar.getByRole("button", { name: "Download" }));
    const name = `chosen-results-${formatDay()}.csv`;
    expect(await screen.findByText(`2 of 3 are in ${name}`)).toBeTruthy();
    expect(screen.getByText("Pasted list: The server is out of order")).toBeTruthy();
    expect(document.querySelectorAll("[data-sonner-toast]")).toHaveLength(1);
    expect(saved.mock.calls.map(([text, file]) => [text.trim().split("\r\n").length, file])).toEqual([
      [3, name],
    ]);
  });

  it("are deleted each by its own call, after asking", async () => {
    const { calls, user } = openHistory({
      "DELETE /api/validate/batch/b1": () => refusal(409, "BATCH_RUNNING", "It still runs"),
      "DELETE /api/validate/result/1": () => json({ message: "Deleted" }),
    });
    const bar = await select(user, "list.csv", "anna@company.com");
    await user.click(bar.getByRole("button", { name: "Delete" }));
    const dialog = within(screen.getByRole("dialog", { name: "Delete 1 list and 1 single validation?" }));
    await user.click(dialog.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Deleted 1 of 2")).toBeTruthy();
    expect(screen.getByText("list.csv: It still runs")).toBeTruthy();
    expect(document.querySelectorAll("[data-sonner-toast]")).toHaveLength(1);
    expect(screen.queryByRole("dialog")).toBeNull();
    const gone = calls.filter(({ method }) => method === "DELETE").map(({ path }) => path);
    expect(gone).toEqual(["/api/validate/batch/b1", "/api/validate/result/1"]);
  });

  it("j, k and the arrows go from card to card, whose Enter opens it", async () => {
    const { user } = openHistory();
    await screen.findByRole("heading", { name: "list.csv" });
    const first = screen.getAllByRole("link", { name: "Results" })[0];
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(document.body);
    await user.keyboard("j");
    expect(document.activeElement).toBe(first);
    await user.keyboard("{ArrowDown}j");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "View details" }));
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("dialog", { name: "Validation Details" })).toBeTruthy();
    await user.keyboard("{Escape}kk");
    expect(document.activeElement).toBe(first);
  });
});
