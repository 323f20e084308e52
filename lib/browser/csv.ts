/** A table as CSV (RFC 4180), its columns' names in the first line. */
export function csvText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows]
    .map((row) => row.map(csvField).join(','))
    .concat('')
    .join('\r\n');
}

/** A field, quoted where it has to be. What a spreadsheet would take for a formula is led by an apostrophe; an amount below zero is none. */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
