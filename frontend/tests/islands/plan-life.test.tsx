import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";

import type { Subscription } from "../../src/api/types";
import { PlanActions } from "../../src/features/billing/subscriptions/plan-actions";
import { PlanNotices } from "../../src/features/billing/subscriptions/plan-notices";
import { getChangeLabel, canChangePlan } from "../../src/features/billing/subscriptions/plan-change-card";
import { PaymentReturn } from "../../src/features/billing/payments/payment-return";
import { ProfileForm } from "../../src/features/accounts/profile/profile-form";
import { navigation } from "../../src/lib/session";
import { API, card, CHANGE, choose, DOWN, growth } from "../plan-card";
import { show } from "../render";
import { json, refusal, serve } from "../server";

const reload = () => vi.spyOn(navigation, "reload").mockImplementation(() => undefined);
const go = () => vi.spyOn(navigation, "go").mockImplementation(() => undefined);

afterEach(() => vi.useRealTimers());

describe("labels", () => {
  it.each([
    ["starter", "monthly", "growth", "monthly", "Upgrade"],
    ["starter", "monthly", "pro", "yearly", "Upgrade"],
    ["growth", "monthly", "pro", "monthly", "Upgrade"],
    ["pro", "monthly", "growth", "monthly", "Downgrade"],
    ["pro", "yearly", "starter", "monthly", "Downgrade"],
    ["growth", "monthly", "starter", "monthly", "Downgrade"],
    ["growth", "monthly", "growth", "yearly", "Switch Plan"],
    ["enterprise", "monthly", "pro", "monthly", "Switch Plan"],
    ["custom", "yearly", "starter", "yearly", "Switch Plan"],
    ["growth", "monthly", "growth", "monthly", "Current Plan"],
  ] as const)("[SUB-032] [SUB-048] %s %s → %s %s: %s", (plan, now, wanted, cycle, label) => {
    const mine = growth({ subscription_plan: plan, billing_cycle: now });
    expect(getChangeLabel(mine, { plan: wanted, cycle })).toBe(label);
  });

  it.each([
    ["starter", "monthly"],
    ["growth", "monthly"],
    ["growth", "yearly"],
    ["pro", "monthly"],
  ] as const)("[J5] [PEN-008] [SUB-019] while Growth is tried, %s billed %s: Upgrade", (plan, cycle) => {
    const mine = growth({ subscription_status: "trial", billing_cycle: null });
    expect(getChangeLabel(mine, { plan, cycle })).toBe("Upgrade");
  });

  it("[SUB-033] [SUB-019] the card is for plans that run and for trials", () => {
    const shown = (more: Partial<Subscription>) => canChangePlan(growth(more));
    expect(shown({})).toBe(true);
    expect(shown({ subscription_status: "trial" })).toBe(true);
    expect(shown({ subscription_status: "paused" })).toBe(false);
    expect(shown({ subscription_plan: "free" })).toBe(false);
  });
});

describe("the plan-change card", () => {
  it("[SUB-031] [SUB-032] shows prices by cycle, the saving, and the current plan disabled", async () => {
    const { user } = card({});
    expect((await screen.findByRole("button", { name: "Current Plan" })).matches(":disabled")).toBe(true);
    expect(screen.getByText("Save 17%")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Yearly" }));
    expect(screen.getByText("$1,484")).toBeTruthy();
    expect(screen.getByText("20,000 credits a month, saves $304")).toBeTruthy();
    expect(screen.getByRole("button", { name: /Switch Plan to Growth/ })).toBeTruthy();
  });

  it("[SUB-034] [SUB-035] [SUB-036] previews an upgrade and leaves for PayPal", async () => {
    const leave = go();
    const { calls, user } = card({
      [`GET ${API}/plan-change/preview`]: () => json(CHANGE),
      [`POST ${API}/plan-change/create-payment`]: () => json({ approval_url: "https://paypal.example/a" }),
    });
    const dialog = await choose(user, /Upgrade to Pro/);
    expect(await within(dialog).findByText("$149 less $79, for the 14 of 28 days left")).toBeTruthy();
    expect(within(dialog).getByText("$149 on 28 February 2030")).toBeTruthy();
    expect(within(dialog).getByText("5,000 now, then 20,000 a month")).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Pay $35 with PayPal" }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://paypal.example/a"));
    const sent = calls.find(({ method }) => method === "POST");
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      new_plan_id: "pro",
      billing_cycle: "monthly",
      confirm_second: false,
    });
    expect(sent?.headers.get("Idempotency-Key")).toBeTruthy();
  });

  it("[PEN-008] [D7] a trial is upgraded to Starter, which is charged in full from now", async () => {
    const trial = {
      ...CHANGE,
      new_plan: "starter",
      current_plan_price: 0,
      new_plan_price: 49,
      immediate_charge: 49,
      next_billing_amount: 49,
      credits_now: 5_000,
      credits_a_month: 5_000,
    };
    const { user } = card(
      { [`GET ${API}/plan-change/preview`]: () => json(trial) },
      { subscription_status: "trial", billing_cycle: null, trial_status: "active" },
    );
    const dialog = await choose(user, /Upgrade to Starter/);
    expect(
      await within(dialog).findByText("The plan is charged in full from now, and your trial ends"),
    ).toBeTruthy();
    expect(within(dialog).getByRole("button", { name: "Pay $49 with PayPal" })).toBeTruthy();
    expect(screen.queryByText(/Downgrade|Keep/)).toBeNull();
  });

  it("[SUB-039] [SUB-040] [LIM-025] a downgrade is confirmed, and the page reloads after a second", async () => {
    const again = reload();
    const { user } = card({
      [`GET ${API}/plan-change/preview`]: () => json(DOWN),
      [`POST ${API}/plan-change`]: () =>
        json({ message: "Changes on 28 February 2030.", approval_url: null }),
    });
    const dialog = await choose(user, /Downgrade to Starter/);
    expect(await within(dialog).findByText(/Nothing is charged now/)).toBeTruthy();
    expect(within(dialog).getByText("No change until 28 February 2030, then 5,000 a month")).toBeTruthy();
    await user.click(within(dialog).getByRole("button", { name: "Confirm change" }));
    expect(await screen.findByText("Changes on 28 February 2030.")).toBeTruthy();
    expect(again).not.toHaveBeenCalled();
    await waitFor(() => expect(again).toHaveBeenCalledOnce());
  });

  it("[SUB-047] a change of cycle is approved first", async () => {
    const leave = go();
    const { user } = card({
      [`GET ${API}/plan-change/preview`]: () => json(DOWN),
      [`POST ${API}/plan-change`]: () =>
        json({ message: "Approve.", approval_url: "https://paypal.example/b" }),
    });
    const dialog = await choose(user, /Downgrade to Starter/);
    await user.click(await within(dialog).findByRole("button", { name: "Confirm change" }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://paypal.example/b"));
  });

  it.each([
    ["SUB-015", "Free users must start a trial first", "Please start your Growth trial first!"],
    ["SUB-015", "Free users must upgrade", "Please start your Growth trial first!"],
    ["SUB-041", "You are already on this plan", "You are already on this plan"],
    ["SUB-042", "No active subscription", "No active subscription found. Please subscribe to a plan first."],
    ["SUB-044", "", "Failed to preview plan change"],
  ])("[%s] a refused preview (%s) says %s", async (_row, detail, shown) => {
    const { user } = card({ [`GET ${API}/plan-change/preview`]: () => refusal(400, "X", detail) });
    await user.click(await screen.findByRole("button", { name: /Upgrade to Pro/ }));
    expect(await screen.findByText(shown)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it.each([
    ["SUB-043", DOWN, "This upgrade requires payment", "Payment processing failed. Please try again."],
    ["SUB-044", DOWN, "", "Failed to change plan"],
    ["SUB-046", CHANGE, "", "Failed to create PayPal payment"],
  ])("[%s] a refused change (%#) says so", async (_row, change, detail, shown) => {
    const refused = () => refusal(400, "X", detail);
    const { user } = card({
      [`GET ${API}/plan-change/preview`]: () => json(change),
      [`POST ${API}/plan-change`]: refused,
      [`POST ${API}/plan-change/create-payment`]: refused,
    });
    const dialog = await choose(user, /Upgrade to Pro/);
    await user.click(await within(dialog).findByRole("button", { name: /^(Confirm|Pay)/ }));
    expect(await screen.findByText(shown)).toBeTruthy();
  });

  it("[SUB-046] an answer without address says so", async () => {
    const { user } = card({
      [`GET ${API}/plan-change/preview`]: () => json(CHANGE),
      [`POST ${API}/plan-change/create-payment`]: () => json({ approval_url: "" }),
    });
    const dialog = await choose(user, /Upgrade to Pro/);
    await user.click(await within(dialog).findByRole("button", { name: /^Pay/ }));
    expect(await screen.findByText("PayPal approval URL not found")).toBeTruthy();
  });
});

describe("pause, resume, cancel", () => {
  it("[SUB-070] the pause names its end, and what becomes of charges and credits", async () => {
    const user = show(<PlanActions subscription={growth()} />);
    await user.click(screen.getByRole("button", { name: "Pause" }));
    const points = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
    expect(points[0]).toMatch(/^It resumes automatically on 5 April 2030\./);
    expect(points[1]).toMatch(/next billing date is 28 February 2030.*skipped/);
    expect(points[2]).toMatch(/^10,000 plan credits will be frozen\./);
  });

  it.each([
    ["past_due", "Past due", /once the payment has gone through/],
    ["trial", null, /Your trial ends on 5 May 2030.*A trial cannot be paused/],
    ["active", null, /two months in any twelve/],
  ] as const)("[SUB-061] [SUB-020] %s: says why it cannot be paused", (status, badge, reason) => {
    const mine = growth({
      subscription_status: status,
      can_pause: false,
      trial_ends_at: "2030-05-05T10:00:00Z",
    });
    show(<PlanActions subscription={mine} />);
    expect(screen.queryByText("Past due")?.textContent ?? null).toBe(badge);
    expect(screen.getByText(reason)).toBeTruthy();
  });

  it.each([
    ["pause", "Pause", "active"],
    ["cancel", "Cancel", "active"],
    ["resume", "Resume", "paused"],
    ["cancel", "Cancel instead", "paused"],
  ] as const)(
    "[SUB-063] [SUB-064] [SUB-069] %s (%s) asks first, then says what the server says",
    async (verb, name, status) => {
      let works = false;
      const answer = () => (works ? json({ message: `Done: ${verb}` }) : refusal(500, "X", ""));
      serve({ [`POST ${API}/${verb}`]: answer });
      const user = show(<PlanActions subscription={growth({ subscription_status: status })} />);
      await user.click(screen.getByRole("button", { name }));
      const dialog = await screen.findByRole("dialog", {
        name: `Are you sure you want to ${verb} your subscription?`,
      });
      const yes = within(dialog).getByRole("button", { name: new RegExp(`^${verb} subscription`, "i") });
      await user.click(yes);
      expect(await screen.findByText(`Failed to ${verb} subscription`)).toBeTruthy();
      works = true;
      await user.click(yes);
      expect(await screen.findByText(`Done: ${verb}`)).toBeTruthy();
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    },
  );

  it("[SUB-061] [SUB-062] offers what the state allows", () => {
    show(<PlanActions subscription={growth({ can_pause: false })} />);
    expect(screen.getByRole("button", { name: "Pause" }).matches(":disabled")).toBe(true);
    expect(screen.getByRole("button", { name: "Cancel" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
  });

  it("[SUB-062] a paused plan shows Paused, Resume and Cancel instead", () => {
    show(<PlanActions subscription={growth({ subscription_status: "paused" })} />);
    expect(screen.getByText("Paused")).toBeTruthy();
    expect(screen.getByText(/^It resumes on 5 April 2030/)).toBeTruthy();
    expect(screen.getAllByRole("button").map((found) => found.textContent)).toEqual([
      "Resume",
      "Cancel instead",
    ]);
  });

  it("[SUB-065] a refused pause is said in the server's words", async () => {
    serve({
      [`POST ${API}/pause`]: () => refusal(400, "CANNOT_PAUSE", "Subscription cannot be paused at this time"),
    });
    const user = show(<PlanActions subscription={growth()} />);
    await user.click(screen.getByRole("button", { name: "Pause" }));
    await user.click(await screen.findByRole("button", { name: "Pause subscription" }));
    expect(await screen.findByText("Subscription cannot be paused at this time")).toBeTruthy();
  });
});

describe("notices", () => {
  it("[SUB-071] a cancelled plan names its end and can be kept", async () => {
    const leave = go();
    serve({
      [`POST ${API}/reactivate`]: () =>
        json({ message: "Approve.", approval_url: "https://paypal.example/k" }),
    });
    const mine = growth({ subscription_status: "cancelled", cancel_at: "2030-02-28T10:00:00Z" });
    const user = show(
      <>
        <PlanNotices subscription={mine} />
        <PlanActions subscription={mine} />
      </>,
    );
    expect(screen.getByText("Your Growth plan ends on 28 February 2030.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Keep my plan" }));
    await waitFor(() => expect(leave).toHaveBeenCalledWith("https://paypal.example/k"));
  });

  it("[SUB-039] [SUB-047] a change that waits names its date and can be undone", async () => {
    const calls = serve({
      [`DELETE ${API}/plan-change`]: () => json({ message: "Your plan stays Growth." }),
    });
    const mine = growth({
      scheduled_plan: "starter",
      scheduled_cycle: "monthly",
      scheduled_at: "2030-02-28T10:00:00Z",
    });
    const user = show(<PlanNotices subscription={mine} />);
    expect(
      screen.getByText("Your plan changes to Starter, billed monthly, on 28 February 2030."),
    ).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Your plan stays Growth.")).toBeTruthy();
    expect(calls).toHaveLength(1);
  });

  it("[SUB-072] an unpaid plan says what to do", () => {
    show(<PlanNotices subscription={growth({ subscription_status: "past_due" })} />);
    expect(screen.getByRole("alert").textContent).toMatch(
      /did not go through.*PayPal tries again on 28 February 2030.*stay usable/,
    );
  });
});

it("[SUB-003] the profile names the plan in one line and leads to its own tab", async () => {
  const me = { name: "Alice", email: "alice@company.com", company: "", address: "", vat_id: "" };
  serve({ "GET /api/auth/me": () => json({ ...me, subscription_plan: "growth" }) });
  show(<ProfileForm />);
  const link = await screen.findByRole("link", { name: "Manage Subscription" });
  expect(link.getAttribute("href")).toBe("/account-settings?tab=subscription");
  expect(link.parentElement?.textContent).toBe("Growth plan · Manage Subscription");
});

describe("the return from PayPal", () => {
  const arrive = (answer: () => Response) => {
    history.replaceState(null, "", "/account-settings?payment=success&token=pay_1");
    serve({
      "GET /api/payments/paypal/status/pay_1": () =>
        json({ kind: "plan_change", state: "paid", message: "Paid." }),
      [`POST ${API}/plan-change/complete/pay_1`]: answer,
    });
    show(<PaymentReturn />);
  };

  it("[SUB-040] [SUB-051] [LIM-025] completes the change and reloads after two seconds", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const again = reload();
    arrive(() => json({ message: "Your plan is now Pro." }));
    expect(await screen.findByText("Your plan is now Pro.")).toBeTruthy();
    expect(again).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_000);
    expect(again).toHaveBeenCalledOnce();
  });

  it("[SUB-045] says whom to ask when it cannot be completed", async () => {
    arrive(() => refusal(500, "X", ""));
    expect(
      await screen.findByText("Failed to complete plan change. Please contact support if you were charged."),
    ).toBeTruthy();
  });
});
