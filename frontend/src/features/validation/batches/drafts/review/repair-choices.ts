// What the choices make of a repair or a suggestion, before and after they are answered.
import type { Draft, DraftChoices, RepairKind, RepairRow } from "../../../../../api/types";

/** Whether the address is checked that was taken out of a cell, and not the cell as it stands. */
export function isRepaired(draft: Draft, { row, kinds }: RepairRow): boolean {
  return !draft.undo_repairs.includes(row) && !hasUndoneKind(draft, kinds);
}

/** Whether a repair is undone with others of its kind, so that it cannot be redone alone. */
export function hasUndoneKind({ undo_kinds }: Draft, kinds: readonly RepairKind[]): boolean {
  return kinds.some((kind) => undo_kinds.includes(kind));
}

export function toggleRow(rows: readonly number[], row: number): number[] {
  return rows.includes(row) ? rows.filter((other) => other !== row) : [...rows, row];
}

export function toggleKind({ undo_kinds }: Draft, kind: RepairKind): DraftChoices {
  const kinds = undo_kinds.includes(kind)
    ? undo_kinds.filter((other) => other !== kind)
    : [...undo_kinds, kind];
  return { undo_kinds: kinds as RepairKind[] };
}

/** Whether what was probably meant is checked in place of what stands there. */
export function isUsed(draft: Draft, row: number): boolean {
  const { use_suggestions, suggestion_rows, undo_suggestions, undo_repairs } = draft;
  const chosen = use_suggestions || suggestion_rows.includes(row);
  return chosen && !undo_suggestions.includes(row) && !undo_repairs.includes(row);
}

/** Uses the suggestion of one row, or undoes that; a row that was undone is taken up again. */
export function toggleSuggestion(draft: Draft, row: number): DraftChoices {
  const { use_suggestions, suggestion_rows, undo_suggestions, undo_repairs } = draft;
  const without = (rows: readonly number[]) => rows.filter((other) => other !== row);
  if (isUsed(draft, row)) {
    return use_suggestions
      ? { undo_suggestions: [...undo_suggestions, row] }
      : { suggestion_rows: without(suggestion_rows) };
  }
  return {
    undo_repairs: without(undo_repairs),
    undo_suggestions: without(undo_suggestions),
    suggestion_rows: use_suggestions ? suggestion_rows : [...without(suggestion_rows), row],
  };
}
