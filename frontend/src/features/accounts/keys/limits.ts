import type { ApiKey } from "../../../api/types";
import { formatCount, formatDateTime } from "../../../lib/format";

export type KeyTerms = Pick<ApiKey, "scopes" | "expires_at" | "daily_credit_cap" | "allowed_ips">;

/** The scopes of a key, in words. */
export function describeScopes(scopes: KeyTerms["scopes"]): string {
  if (scopes.length < 2) return `${scopes[0] ?? "nothing"} only`;
  return `${scopes.slice(0, -1).join(", ")} and ${scopes.at(-1)}`;
}

/** What limits a key, in words; nothing of what does not. */
export function describeLimits({ scopes, expires_at, daily_credit_cap, allowed_ips }: KeyTerms): string {
  const limits = [describeScopes(scopes)];
  if (expires_at) limits.push(`until ${formatDateTime(expires_at)}`);
  if (daily_credit_cap) limits.push(`${formatCount(daily_credit_cap, "credit")} a day`);
  if (allowed_ips.length > 0) limits.push(`from ${allowed_ips.join(", ")}`);
  return limits.join(" · ");
}
