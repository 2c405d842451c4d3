const KEY = "cookie_consent";

export type ConsentChoice = "accepted" | "declined";

/** What was chosen about scripts of others; null before a choice. */
export function readConsent(): ConsentChoice | null {
  const kept = localStorage.getItem(KEY);
  return kept === "accepted" || kept === "declined" ? kept : null;
}

/** Whether scripts of others may be loaded. */
export function hasConsent(): boolean {
  return readConsent() === "accepted";
}

export function storeConsent(choice: ConsentChoice): void {
  localStorage.setItem(KEY, choice);
}
