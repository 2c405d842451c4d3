/** Hands a file to the browser as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Revoked later: some browsers read the address only after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The byte order mark makes spreadsheets read it as UTF-8. */
export function saveCsv(text: string, name: string): void {
  saveBlob(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }), name);
}
