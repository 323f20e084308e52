export interface Sample {
  language: 'curl' | 'viem' | 'fetch' | 'python' | 'openai' | 'client';
  /** Programming language shown before the label; null for none. */
  family: string | null;
  label: string;
  code: string;
}

export function quoteJs(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** Quotes a string as one word of a POSIX shell (Shell Command Language 2.2.2). */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
