/** JSON on several lines; anything else, and JSON that was cut, as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
