// Who is on the photographs.
export const CUSTOMER = "paula.pine@harborquill.com";
/** Has an account, and nothing in it. */
export const NOBODY = "nina.new@harborquill.com";
export const SAM = "sam@emailcheck.app";
export const SECRET = { customer: "correct-42-horse", staff: "sandbox-2026" };
