// What was chosen for a list before its start: kept, changed, and shown before it is answered.
import type { Draft, DraftChoices, SentChoices } from "../../../../api/types";

type Named = keyof Draft & keyof DraftChoices;

/** How the file is read: sent only where it was chosen, so that what was guessed stays to be guessed. */
const READING = [
  "sheet",
  "email_columns",
  "header_row",
  "encoding",
  "delimiter",
] as const satisfies readonly Named[];
type ReadingChoice = (typeof READING)[number];

/** What every call says anew. */
const KEPT = [
  "repair",
  "undo_repairs",
  "undo_kinds",
  "use_suggestions",
  "suggestion_rows",
  "undo_suggestions",
  "reuse_days",
  "max_credits",
  "retention_days",
  "use_providers",
] as const satisfies readonly Named[];

/** What leaves rows, repairs and cost as they are. */
const PRIVACY: readonly Named[] = ["retention_days", "use_providers"];

// Another reading has other rows: what was chosen of single ones is void.
const ROWS = { undo_repairs: [], suggestion_rows: [], undo_suggestions: [] };
// What a choice makes void: another sheet has other columns, another delimiter too.
const VOIDED: Partial<Record<string, ReadingChoice[]>> = {
  sheet: ["email_columns", "header_row"],
  encoding: ["email_columns"],
  delimiter: ["email_columns"],
};

function isReading(name: string): boolean {
  return READING.some((reading) => reading === name);
}

/** What was chosen so far, with one choice more. */
export function mergeChoices(draft: Draft, change: DraftChoices): SentChoices {
  const names = Object.keys(change);
  const voided = new Set(names.flatMap((name) => VOIDED[name] ?? []));
  const read = READING.filter((name) => draft.chosen.includes(name) && !voided.has(name));
  const kept = Object.fromEntries([...read, ...KEPT].map((name) => [name, draft[name]]));
  return { ...kept, ...(names.some(isReading) ? ROWS : {}), ...change } as SentChoices;
}

/** The upload as it will be once the choices are answered. */
export function predictDraft(draft: Draft, choices: DraftChoices): Draft {
  const chosen = READING.filter((name) => choices[name] !== undefined && choices[name] !== null);
  return { ...draft, ...choices, chosen } as Draft;
}

/** Whether rows, repairs and cost may be others once the choices are answered. */
export function changesCounts(draft: Draft, choices: DraftChoices): boolean {
  const names = Object.keys(choices) as Named[];
  return names.some(
    (name) => !PRIVACY.includes(name) && JSON.stringify(draft[name]) !== JSON.stringify(choices[name]),
  );
}
