/** A text as one word of a POSIX shell: single quotes take all but themselves literally (Shell Command Language 2.2.2). */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
