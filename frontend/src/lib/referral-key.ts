/** Under which the code of a friend's link is kept. A file of its own: every page stores it, few read it. */
export const REFERRAL_KEY = "invitation";
