/** The address of a mail draft. Mail programs read %20, not the plus sign of forms. */
export function buildMailto(to: string, fields: { subject: string; body?: string }): string {
  const query = new URLSearchParams(fields).toString().replaceAll("+", "%20");
  return `mailto:${encodeURIComponent(to).replace("%40", "@")}?${query}`;
}
