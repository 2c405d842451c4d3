import { afterEach, expect, it, vi } from "vitest";

import { storeChosenOffer, takeChosenOffer } from "../../../../src/features/billing/catalogue/chosen-offer";

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

it("[PUB-015] an offer that was chosen leads to its place once, for thirty days", () => {
  vi.useFakeTimers({ now: 0 });
  expect(takeChosenOffer()).toBeNull();
  storeChosenOffer("billing=yearly&plan=growth");
  vi.setSystemTime(30 * DAY_MS - 1);
  expect(takeChosenOffer()).toBe("/dashboard?tab=pricing&billing=yearly&plan=growth");
  expect(takeChosenOffer()).toBeNull();
  storeChosenOffer("plan=pro");
  vi.setSystemTime(61 * DAY_MS);
  expect(takeChosenOffer()).toBeNull();
});

it("[PUB-015] the newest choice counts, none too", () => {
  storeChosenOffer("plan=pro");
  storeChosenOffer("");
  expect(takeChosenOffer()).toBeNull();
  localStorage.setItem("chosen_offer", "{");
  expect(takeChosenOffer()).toBeNull();
});
