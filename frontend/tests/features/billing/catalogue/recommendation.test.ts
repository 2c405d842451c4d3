import { expect, it } from "vitest";

import type { PackOffer, PlanOffer } from "../../../../src/features/billing/catalogue/offers";
import {
  priceThousand,
  recommendPack,
  recommendPlan,
} from "../../../../src/features/billing/catalogue/recommendation";

const PLANS: PlanOffer[] = (
  [
    ["free", "Free Trial", 100],
    ["starter", "Starter", 5_000],
    ["growth", "Growth", 10_000],
    ["pro", "Pro", 20_000],
  ] as const
).map(([id, name, limit]) => ({
  id,
  name,
  limit,
  monthly: "$1",
  yearly: null,
  yearly_per_month: null,
}));
const PACKS: PackOffer[] = (
  [
    ["small", 5_000],
    ["medium", 10_000],
    ["large", 25_000],
  ] as const
).map(([id, credits]) => ({ id, credits, price: "$1", per_credit: "$1", best_value: false }));

it.each([
  [
    { last30: 8_214, last90: null },
    "growth",
    "You checked 8,214 addresses in the last 30 days; Growth covers 10,000.",
  ],
  [
    { last30: 10, last90: 27_301 },
    "growth",
    "You checked 27,301 addresses in the last 90 days, 9,101 a month; Growth covers 10,000.",
  ],
  [
    { last30: 6_000, last90: 9_000 },
    "growth",
    "You checked 6,000 addresses in the last 30 days; Growth covers 10,000.",
  ],
  [{ last30: 1, last90: 1 }, "free", "You checked 1 address in the last 30 days; Free Trial covers 100."],
  [
    { last30: 100, last90: null },
    "starter",
    "You checked 100 addresses in the last 30 days; Starter covers 5,000.",
  ],
  [
    { last30: 20_000, last90: null },
    "pro",
    "You checked 20,000 addresses in the last 30 days; Pro covers 20,000. Credit packs cover the rest.",
  ],
  [
    { last30: 50_000, last90: null },
    null,
    "You checked 50,000 addresses in the last 30 days; from 50,000 a month on we make you a custom price.",
  ],
  [{ last30: 0, last90: null }, null, "No recommendation yet: you checked nothing in the last 30 days."],
  [{ last30: 0, last90: 0 }, null, "No recommendation yet: you checked nothing in the last 90 days."],
])("[look-17] %o speaks for the plan %s", (use, id, words) => {
  expect(recommendPlan(use, PLANS, 50_000)).toEqual({ id, words });
});

it.each([
  [
    8_214,
    "medium",
    "You checked 8,214 addresses in the last 30 days; 10,000 credits last about 36 days at that pace.",
  ],
  [
    40_000,
    "large",
    "You checked 40,000 addresses in the last 30 days; 25,000 credits last about 18 days at that pace.",
  ],
  [
    12,
    "small",
    "You checked 12 addresses in the last 30 days; 5,000 credits last more than a year at that pace.",
  ],
])("[look-17] %i a month speak for the pack %s", (last30, id, words) => {
  expect(recommendPack({ last30, last90: null }, PACKS)).toEqual({ id, words });
});

it("[look-17] 1,000 addresses cost as much as they do when all are used", () => {
  expect(priceThousand("$49", 5_000)).toBeCloseTo(9.8);
  expect(priceThousand("$1,484", 240_000)).toBeCloseTo(6.1833);
  expect(priceThousand("$0", 100)).toBeNull();
});
