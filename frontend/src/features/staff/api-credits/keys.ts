/** What the figures of outside providers are kept under. */
export const PROVIDER_STATS = ["provider-stats"] as const;
