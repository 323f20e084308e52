/** A text file that is sent inside a question. */
export interface AttachedFile {
  name: string;
  text: string;
}

/** Together with all before it a conversation goes out whole with each question: bounds for people, not for the gateway. */
export const FILE_BYTES_MAX = 100_000;
export const FILES_BYTES_MAX = 250_000;
export const FILES_MAX = 5;

/** A question with its files, as a model reads it: each file under its name, in a fence that nothing in it can close. */
export function questionText(question: string, files: readonly AttachedFile[] = []): string {
  const parts = files.map(({ name, text }) => {
    const fence = fenceFor(text);
    return `File ${JSON.stringify(name)}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
  });
  return [question, ...parts].filter((part) => part !== '').join('\n\n');
}

/** Bytes of a text as it is sent, in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a stored value is a list of whole files. */
export function areAttachedFiles(value: unknown): value is readonly AttachedFile[] {
  return Array.isArray(value) && value.every(isAttachedFile);
}

function isAttachedFile(value: unknown): value is AttachedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { name, text } = value as Partial<Record<keyof AttachedFile, unknown>>;
  return typeof name === 'string' && typeof text === 'string';
}

/** Longer than any run of backticks in the text (CommonMark, 4.5). */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}
