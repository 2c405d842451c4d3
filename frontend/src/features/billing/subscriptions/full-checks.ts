/** From so few full checks on a new account is told that they are its last. */
const LAST = 10;

/** What is told once: that few are left, or that there are none. */
export type Told = "last" | "over";

/** What is to be told of so many full checks that are left. */
export function toTell(left: number): Told | null {
  if (left === 0) return "over";
  return left <= LAST ? "last" : null;
}

/** Their end, to the microsecond, tells one account's full checks from another's. */
const keyOf = (what: Told, endsAt: string) => `full_checks_told:${what}:${endsAt}`;

/** Whether the notice was closed in this browser. */
export function isTold(what: Told, endsAt: string): boolean {
  return localStorage.getItem(keyOf(what, endsAt)) !== null;
}

export function noteTold(what: Told, endsAt: string): void {
  localStorage.setItem(keyOf(what, endsAt), "1");
}
