// What the console keeps while its tab is open: the test key, and the list that was made last.
import type { CallAnswer } from "./api-call";

const KEY = "try_it_key";
const LIST = "try_it_batch_id";
const RESULT = "try_it_result_id";

export function readKey(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Keeps a test key; anything else is forgotten at once. */
export function storeKey(key: string): void {
  if (getKeyRefusal(key) === null && key !== "") sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

/** Why a text is not a key for the console, or null. */
export function getKeyRefusal(key: string): string | null {
  if (key === "" || key.startsWith("ec_test_")) return null;
  if (key.startsWith("ec_live_")) {
    return "This is a live key. The console takes test keys alone, so that nothing here spends credits or touches your data.";
  }
  return "A test key begins with ec_test_.";
}

/** Path parameters as they were last seen in an answer. */
export function readIds(): Record<string, string> {
  const ids = { batch_id: sessionStorage.getItem(LIST), result_id: sessionStorage.getItem(RESULT) };
  return Object.fromEntries(
    Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** Keeps the ids that an answer names, for the calls that follow. */
export function storeIds({ status, text }: CallAnswer): void {
  if (status >= 300) return;
  const list = /"batch_id": "(bat_[^"]+)"/.exec(text)?.[1];
  const result = /"id": (\d+),\n\s*"row":/.exec(text)?.[1];
  if (list) sessionStorage.setItem(LIST, list);
  if (result) sessionStorage.setItem(RESULT, result);
}
