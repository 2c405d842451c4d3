const KEY = "cookie_consent";

/** Whether scripts of others may be loaded. */
export function hasConsent(): boolean {
  return localStorage.getItem(KEY) === "accepted";
}

export function giveConsent(): void {
  localStorage.setItem(KEY, "accepted");
}
