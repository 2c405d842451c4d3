import { REFERRAL_KEY } from "./referral-key";

const LONGEST = 40;

/** Keeps the code of the link that somebody came by (`?ref=`) for thirty days; the newest counts. */
export function storeInvitation(search: string): void {
  const code = new URLSearchParams(search).get("ref")?.trim().slice(0, LONGEST);
  if (code) localStorage.setItem(REFERRAL_KEY, JSON.stringify([code, Date.now()]));
}
