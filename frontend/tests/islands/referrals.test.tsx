import { screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import Referrals from "../../src/islands/referrals";
import { show } from "../render";
import { json, refusal, serve, type Handler } from "../server";

const stats = {
  referral_code: "ABCD2345",
  total_referrals: 3,
  credits_earned: 500,
  pending_credits: 1000,
  successful_referrals: 1,
  conversion_rate: 33.3,
};
const friends = [
  {
    id: 2,
    referee_name: null,
    referee_email: "x***@fir.org",
    status: "pending",
    credits_awarded: 0,
    created_at: "2026-03-02T10:00:00Z",
    converted_at: null,
  },
  {
    id: 1,
    referee_name: "John",
    referee_email: "j***@example.com",
    status: "converted",
    credits_awarded: 500,
    created_at: "2026-03-01T10:00:00Z",
    converted_at: "2026-03-05T10:00:00Z",
  },
];

function open(handlers: Record<string, Handler> = {}) {
  const calls = serve({
    "GET /api/referral/stats": () => json(stats),
    "GET /api/referral/activities": () => json({ activities: friends, next: null }),
    ...handlers,
  });
  return { calls, user: show(<Referrals reward={500} bonus={100} product="EmailCheck" />) };
}

it("[REF-001] [REF-003] shows the figures, the link and how it works", async () => {
  open();
  const figures = within(await screen.findByRole("region", { name: "Figures" }));
  const lines = figures.getAllByRole("term").map(({ parentElement }) => parentElement?.textContent);
  expect(lines).toEqual([
    "Friends3",
    "With a plan1",
    "Credits earned500",
    "Credits pending1,000",
    "Conversion rate33.3%",
  ]);
  const steps = within(screen.getByRole("region", { name: "How it works" })).getAllByRole("listitem");
  expect(steps).toHaveLength(3);
  expect(steps[1]?.textContent).toContain("100 credits");
  expect(steps[2]?.textContent).toContain("500 credits");
});

it("[REF-002] [REF-008] [REF-014] copies the link and says so", async () => {
  const { user } = open();
  const link = `${location.origin}/?ref=ABCD2345`;
  const field = await screen.findByRole("textbox", { name: "Your referral link" });
  expect(field).toHaveProperty("value", link);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("Referral link copied to clipboard!")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(link);
});

it("[REF-001] [REF-014] opens drafts with the link", async () => {
  open();
  const mail = await screen.findByRole("link", { name: "Share by email" });
  const post = screen.getByRole("link", { name: "Post on X" });
  const link = `${location.origin}/?ref=ABCD2345`;
  const draft = new URL(mail.getAttribute("href") ?? "");
  expect(draft.protocol).toBe("mailto:");
  expect(draft.href).not.toContain("+");
  expect(draft.searchParams.get("body")).toContain(link);
  const tweet = new URL(post.getAttribute("href") ?? "");
  expect([tweet.host, tweet.pathname]).toEqual(["twitter.com", "/intent/tweet"]);
  expect(tweet.searchParams.get("text")).toContain(link);
});

it("[REF-004] [REF-005] lists the friends", async () => {
  open();
  const table = await screen.findByRole("table");
  const rows = within(table).getAllByRole("row").slice(1);
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole("cell")
        .slice(0, 3)
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ["Anonymousx***@fir.org", "Pending", "–"],
    ["Johnj***@example.com", "Completed", "+500"],
  ]);
});

it("[REF-010] says that there are none yet", async () => {
  open({ "GET /api/referral/activities": () => json({ activities: [], next: null }) });
  expect(await screen.findByText("No referrals yet")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});

it("[REF-010] a failed load shows no rows and can be repeated", async () => {
  const answers = [() => refusal(400, "VALIDATION_ERROR", "Not now"), () => json(stats)];
  const { user } = open({
    "GET /api/referral/stats": () => (answers.shift() ?? (() => json(stats)))(),
  });
  expect(await screen.findByText("Not now")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("region", { name: "Figures" })).toBeTruthy();
});

it("[REF-010] keeps the friends that are shown when the next ones do not come", async () => {
  let broken = true;
  const { user } = open({
    "GET /api/referral/activities": ({ query }) => {
      if (query.get("cursor") !== "c2") return json({ activities: friends.slice(0, 1), next: "c2" });
      return broken
        ? refusal(400, "VALIDATION_ERROR", "Not now")
        : json({ activities: friends.slice(1), next: null });
    },
  });
  const more = await screen.findByRole("button", { name: "Show more" });
  await user.click(more);
  expect((await screen.findByRole("alert")).textContent).toBe("Not now");
  expect(screen.getByText("x***@fir.org")).toBeTruthy();
  broken = false;
  await user.click(more);
  expect(await screen.findByText("j***@example.com")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("shows more friends on demand", async () => {
  const handler = vi.fn<Handler>(({ query }) =>
    query.get("cursor") === "c2"
      ? json({ activities: friends.slice(1), next: null })
      : json({ activities: friends.slice(0, 1), next: "c2" }),
  );
  const { user } = open({ "GET /api/referral/activities": handler });
  await user.click(await screen.findByRole("button", { name: "Show more" }));
  expect(await screen.findByText("j***@example.com")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});
