// Whether a session has ended by itself in this tab: the next sign-in leads back then.
const ENDED = "session_ended";

export function markSessionEnded(): void {
  sessionStorage.setItem(ENDED, "1");
}

export function hasSessionEnded(): boolean {
  return sessionStorage.getItem(ENDED) !== null;
}

export function unmarkSessionEnded(): void {
  sessionStorage.removeItem(ENDED);
}
