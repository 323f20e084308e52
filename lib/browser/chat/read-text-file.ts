import { chatFileWords } from '../words/chat-files';
import { recognizeSecret } from '../pasted-secret/recognize-secret';
import { type AttachedFile, byteLength, FILE_BYTES_MAX, FILES_BYTES_MAX, FILES_MAX } from './attached-files';

/** What came of files that somebody wanted to attach: those that can be, and a sentence for each that cannot. */
export interface ReadFiles {
  files: readonly AttachedFile[];
  refused: readonly string[];
}

/** A file as browsers give it; only what is read of it. */
export type GivenFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

/**
 * Reads files as text, in this page alone, to be sent beside those that are attached already. Refused are what is too
 * large, too many, no text, and what looks like a private key: of that nothing is kept.
 */
export async function readTextFiles(
  given: readonly GivenFile[],
  attached: readonly AttachedFile[],
): Promise<ReadFiles> {
  const files: AttachedFile[] = [];
  const refused: string[] = [];
  for (const file of given) {
    const read = await readTextFile(file, [...attached, ...files]);
    if (typeof read === 'string') refused.push(read);
    else files.push(read);
  }
  return { files, refused };
}

async function readTextFile(file: GivenFile, before: readonly AttachedFile[]): Promise<AttachedFile | string> {
  const { name, size } = file;
  if (before.length >= FILES_MAX) return chatFileWords.tooMany(name, FILES_MAX);
  if (size > FILE_BYTES_MAX) return chatFileWords.tooLarge(name, size, FILE_BYTES_MAX);
  if (size === 0) return chatFileWords.empty(name);
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return chatFileWords.unreadable(name);
  const text = textOf(new Uint8Array(bytes));
  if (text === null) return chatFileWords.notText(name);
  if (hasSecret(text)) return chatFileWords.secret(name);
  const together = before.reduce((sum, each) => sum + byteLength(each.text), byteLength(text));
  return together > FILES_BYTES_MAX ? chatFileWords.tooLargeTogether(name, FILES_BYTES_MAX) : { name, text };
}

/** UTF-8, or UTF-16 with its mark; null for what is neither, or has a NUL in it as no text has. */
function textOf(bytes: Uint8Array): string | null {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = !isUtf16 ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** What names a value that gives a wallet away, in files of settings. */
const SECRET_NAME = /key|secret|mnemonic|seed/i;

/** Whether a file is a secret of a wallet, or has a line that is one, such as `PRIVATE_KEY=0x…`. */
function hasSecret(text: string): boolean {
  if (recognizeSecret(text) !== null || /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return true;
  return text.split(/\r?\n/).some((line) => {
    const kind = recognizeSecret(line);
    if (kind === 'private-key' || kind === 'extended-key') return true;
    const [, name = '', value = ''] = /^\s*(?:export\s+)?["']?([\w.-]+)["']?\s*[=:]\s*(.*?)[\s,;]*$/.exec(line) ?? [];
    return SECRET_NAME.test(name) && recognizeSecret(value.replace(/^(["'`])(.*)\1$/, '$2')) !== null;
  });
}
