/** Formats a table as CSV (RFC 4180) with a header line. */
export function csvText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows]
    .map((row) => row.map(csvField).join(','))
    .concat('')
    .join('\r\n');
}

/**
 * Quotes a field if needed. If the field starts with `=`, `+`, `-` or `@`, also in full width, and is not a negative
 * number, puts an apostrophe before it, so that spreadsheets do not run it as a formula.
 */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
