const KEY = "cookie_consent";

export type Choice = "accepted" | "declined";

/** What was chosen about scripts of others; null before a choice. */
export function consent(): Choice | null {
  const kept = localStorage.getItem(KEY);
  return kept === "accepted" || kept === "declined" ? kept : null;
}

/** Whether scripts of others may be loaded. */
export function hasConsent(): boolean {
  return consent() === "accepted";
}

export function keepConsent(choice: Choice): void {
  localStorage.setItem(KEY, choice);
}
