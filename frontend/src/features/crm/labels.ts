import type { DealStage } from "../../api/types";

/** What the lists are kept under. */
export const DEALS = ["deals"] as const;
export const CONTRACTS = ["contracts"] as const;
export const MESSAGES = ["messages"] as const;
export const SUBSCRIBERS = ["subscribers"] as const;

/** The stages in their order; a new deal begins in one of the first four. */
export const STAGES: readonly (readonly [DealStage, string])[] = [
  ["prospect", "Prospect"],
  ["qualified", "Qualified"],
  ["proposal", "Proposal"],
  ["negotiation", "Negotiation"],
  ["closed_won", "Closed Won"],
  ["closed_lost", "Closed Lost"],
];
export const OPEN_STAGES: typeof STAGES = STAGES.slice(0, 4);

const WORDS = Object.fromEntries(STAGES) as Record<DealStage, string>;

export function formatStage(stage: DealStage): string {
  return WORDS[stage];
}

export function isOpenStage(stage: DealStage): boolean {
  return OPEN_STAGES.some(([key]) => key === stage);
}

/** An amount of money as it is typed: 0 or more. */
export function isAmount(text: string): boolean {
  return text.trim() !== "" && Number(text) >= 0;
}
