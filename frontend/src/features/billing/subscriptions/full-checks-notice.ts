/** From so few full checks on a new account is told that they are its last. */
const LAST = 10;

/** What is told once: that few are left, or that there are none. */
export type NoticeKind = "last" | "over";

/** What is to be told of so many full checks that are left. */
export function chooseNotice(left: number): NoticeKind | null {
  if (left === 0) return "over";
  return left <= LAST ? "last" : null;
}

/** Their end, to the microsecond, tells one account's full checks from another's. */
const getNoticeKey = (what: NoticeKind, endsAt: string) => `full_checks_told:${what}:${endsAt}`;

/** Whether the notice was closed in this browser. */
export function isNoticeClosed(what: NoticeKind, endsAt: string): boolean {
  return localStorage.getItem(getNoticeKey(what, endsAt)) !== null;
}

export function closeNotice(what: NoticeKind, endsAt: string): void {
  localStorage.setItem(getNoticeKey(what, endsAt), "1");
}
