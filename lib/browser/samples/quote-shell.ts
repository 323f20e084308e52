/** Quotes a string as one word of a POSIX shell (Shell Command Language 2.2.2). */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
