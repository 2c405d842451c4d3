import { readToken } from "../../../../lib/session";
import { readClaims } from "../../../../lib/token-claims";

const COOKIE = "signed_out";
const LASTS_S = 30 * 24 * 60 * 60;

/** The sign-in that a token names; null when it is none of ours. */
function getSignInId(token: string): number | null {
  const { sid } = readClaims(token);
  return typeof sid === "number" ? sid : null;
}

function writeMark(value: string, seconds: number): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${COOKIE}=${value}; path=/; max-age=${seconds}; samesite=lax${secure}`;
}

/**
 * Has the server end this session at the next request that reaches it, whatever that is. Where no token names the
 * session, it is the one that the browser has then.
 */
export function markSignedOut(): void {
  const token = readToken();
  writeMark(String((token === null ? null : getSignInId(token)) ?? "current"), LASTS_S);
}

export function removeMark(): void {
  writeMark("", 0);
}

/** Whether the server has yet to end the session: with its answer it takes the mark away. */
export function isMarkSet(): boolean {
  return document.cookie.split("; ").some((cookie) => cookie.startsWith(`${COOKIE}=`));
}
