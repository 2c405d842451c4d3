import { formatCount, formatNumber } from "../../../lib/format";
import type { PackOffer, PlanOffer } from "./offers";

const MONTH_DAYS = 30;
const LONGEST_DAYS = 365;

/** What the account checked in the last 30 days, and in the last 90 where its plan shows as much. */
export interface OwnUse {
  last30: number;
  last90: number | null;
}

export interface Recommendation {
  /** The plan or pack to take; null where none is known to fit. */
  id: string | null;
  /** How it was worked out, in a sentence. */
  words: string;
}

interface Pace {
  monthly: number;
  words: string;
}

/** The busier of the last month and the average month of the last three; null where nothing was checked. */
function measurePace({ last30, last90 }: OwnUse): Pace | null {
  const average = Math.ceil((last90 ?? 0) / 3);
  if (last90 !== null && average > last30) {
    const words = `You checked ${formatNumber(last90)} addresses in the last 90 days, ${formatNumber(average)} a month`;
    return { monthly: average, words };
  }
  if (last30 === 0) return null;
  return {
    monthly: last30,
    words: `You checked ${formatCount(last30, "address", "addresses")} in the last 30 days`,
  };
}

function refuseToGuess({ last90 }: OwnUse): Recommendation {
  const days = last90 === null ? 30 : 90;
  const words = `No recommendation yet: you checked nothing in the last ${days} days.`;
  return { id: null, words };
}

/** The smallest plan with room for what the account checks in a month. */
export function recommendPlan(use: OwnUse, plans: readonly PlanOffer[], salesFrom: number): Recommendation {
  const pace = measurePace(use);
  if (!pace) return refuseToGuess(use);
  if (pace.monthly >= salesFrom) {
    const words = `${pace.words}; from ${formatNumber(salesFrom)} a month on we make you a custom price.`;
    return { id: null, words };
  }
  // Who used all that a plan has may have wanted more.
  const fitting = plans.find(({ limit }) => limit > pace.monthly);
  const plan = fitting ?? plans.at(-1);
  const rest = fitting ? "" : " Credit packs cover the rest.";
  return plan
    ? { id: plan.id, words: `${pace.words}; ${plan.name} covers ${formatNumber(plan.limit)}.${rest}` }
    : { id: null, words: `${pace.words}.` };
}

/** The smallest pack that lasts a month at the account's pace, or the largest one. */
export function recommendPack(use: OwnUse, packs: readonly PackOffer[]): Recommendation {
  const pace = measurePace(use);
  if (!pace) return refuseToGuess(use);
  const pack = packs.find(({ credits }) => credits >= pace.monthly) ?? packs.at(-1);
  if (!pack) return { id: null, words: `${pace.words}.` };
  const days = Math.floor((pack.credits / pace.monthly) * MONTH_DAYS);
  const lasts = days > LONGEST_DAYS ? "more than a year" : `about ${formatCount(days, "day")}`;
  return {
    id: pack.id,
    words: `${pace.words}; ${formatNumber(pack.credits)} credits last ${lasts} at that pace.`,
  };
}

/** An amount as the catalogue writes it: $1,484. */
function parseAmount(text: string): number {
  return Number(text.replace(/[^\d.]/g, ""));
}

/** What 1,000 addresses cost in USD when all that is paid for is used; null for what costs nothing. */
export function priceThousand(amount: string, addresses: number): number | null {
  const price = parseAmount(amount);
  return price > 0 && addresses > 0 ? (price / addresses) * 1_000 : null;
}
