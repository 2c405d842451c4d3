import { REFERRAL_KEY } from "./referral-key";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** The code that is sent when an account is made; empty without an invitation, or when it is too old. */
export function readInvitation(): string {
  try {
    const [code, since] = JSON.parse(localStorage.getItem(REFERRAL_KEY) ?? "[]") as unknown[];
    const holds = typeof code === "string" && typeof since === "number" && Date.now() - since < KEPT_MS;
    return holds ? code : "";
  } catch {
    return "";
  }
}
