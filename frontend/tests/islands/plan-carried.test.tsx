import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { navigation } from "../../src/lib/session";
import { API, card, CHANGE } from "../plan-card";
import { json, refusal } from "../server";

const go = () => vi.spyOn(navigation, "go").mockImplementation(() => undefined);

it("[J2] [DEC-022] begins with what was chosen on the tab Upgrade, and forgets it once that is closed", async () => {
  history.replaceState(null, "", "/account-settings?tab=subscription&plan=pro&billing=yearly#change-plan");
  const { calls, user } = card({ [`GET ${API}/plan-change/preview`]: () => json(CHANGE) });
  const dialog = await screen.findByRole("dialog", { name: "Change to Pro" });
  expect(calls.find(({ path }) => path.endsWith("/preview"))?.query.toString()).toBe(
    "new_plan_id=pro&billing_cycle=yearly",
  );
  await user.click(within(dialog).getByRole("button", { name: "Not now" }));
  await waitFor(() => expect(location.search).toBe("?tab=subscription"));
  expect(screen.getByRole("button", { name: "Yearly" }).getAttribute("aria-pressed")).toBe("true");
});

it.each(["plan=growth&billing=monthly", "plan=free&billing=monthly", "plan=pro&billing=toString"])(
  "[J2] chooses nothing by %s",
  async (query) => {
    history.replaceState(null, "", `/account-settings?tab=subscription&${query}`);
    card({});
    expect(await screen.findByRole("button", { name: "Current Plan" })).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  },
);

it("[J3] [SUB-015] [SUB-018] who has used up the trial is led to the plans", async () => {
  const leave = go();
  const refused = () => refusal(400, "FREE_USER", "Free users must upgrade");
  const { user } = card({ [`GET ${API}/plan-change/preview`]: refused });
  await user.click(await screen.findByRole("button", { name: /Upgrade to Pro/ }));
  expect(await screen.findByText(/Your trial is used up/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "See the plans" }));
  expect(leave).toHaveBeenCalledWith("/dashboard?tab=pricing");
});
