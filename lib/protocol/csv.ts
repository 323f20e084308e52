/** Formats a table as CSV (RFC 4180) with a header line. */
export function csvText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows]
    .map((row) => row.map(csvField).join(','))
    .concat('')
    .join('\r\n');
}

/**
 * Quotes a field if needed. Puts an apostrophe before a field that spreadsheets could run as a formula: a field that
 * begins with `=`, `+`, `-`, `@` (also full-width), a tab or a line break, and is not a negative number.
 */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
