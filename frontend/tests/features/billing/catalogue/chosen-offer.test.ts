import { afterEach, expect, it, vi } from "vitest";

import { keepChoice, takeChoice } from "../../../../src/features/billing/catalogue/chosen-offer";

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

it("[PUB-015] an offer that was chosen leads to its place once, for thirty days", () => {
  vi.useFakeTimers({ now: 0 });
  expect(takeChoice()).toBeNull();
  keepChoice("billing=yearly&plan=growth");
  vi.setSystemTime(30 * DAY_MS - 1);
  expect(takeChoice()).toBe("/dashboard?tab=pricing&billing=yearly&plan=growth");
  expect(takeChoice()).toBeNull();
  keepChoice("plan=pro");
  vi.setSystemTime(61 * DAY_MS);
  expect(takeChoice()).toBeNull();
});

it("[PUB-015] the newest choice counts, none too", () => {
  keepChoice("plan=pro");
  keepChoice("");
  expect(takeChoice()).toBeNull();
  localStorage.setItem("chosen_offer", "{");
  expect(takeChoice()).toBeNull();
});
