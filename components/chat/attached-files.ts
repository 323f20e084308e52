export interface AttachedFile {
  name: string;
  text: string;
}

/**
 * Maximum size of a file. Each question sends the whole conversation, so larger files would make every question
 * expensive.
 */
export const FILE_BYTES_MAX = 100_000;
export const FILES_BYTES_MAX = 250_000;
export const FILES_MAX = 5;

/** Builds the prompt: the question, then each file's name and content. A file's content cannot close its code fence. */
export function questionText(question: string, files: readonly AttachedFile[] = []): string {
  const parts = files.map(({ name, text }) => {
    const fence = fenceFor(text);
    return `File ${JSON.stringify(name)}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
  });
  return [question, ...parts].filter((part) => part !== '').join('\n\n');
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function areAttachedFiles(value: unknown): value is readonly AttachedFile[] {
  return Array.isArray(value) && value.every(isAttachedFile);
}

function isAttachedFile(value: unknown): value is AttachedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { name, text } = value as Partial<Record<keyof AttachedFile, unknown>>;
  return typeof name === 'string' && typeof text === 'string';
}

/** Returns a fence longer than any run of backticks in the text (CommonMark, 4.5). */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}
