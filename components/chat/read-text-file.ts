import { chatFileWords } from './file-words';
import { recognizeSecret } from '@/lib/browser/credential/pasted-secret';
import { type AttachedFile, byteLength, FILE_BYTES_MAX, FILES_BYTES_MAX, FILES_MAX } from './attached-files';

export interface ReadFiles {
  files: readonly AttachedFile[];
  refused: readonly string[];
}

export type GivenFile = Pick<File, 'name' | 'size' | 'arrayBuffer'>;

/**
 * Reads files as text in this page. Refuses too many files, and files that are too large, are not text, or look like a
 * private key. Attached files count towards the limits.
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

/** Decodes UTF-8, or UTF-16 with a byte order mark; null for other data and for text with a NUL character. */
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

const SECRET_NAME = /key|secret|mnemonic|seed/i;

/** Returns whether the whole text is a wallet secret, or a line such as `PRIVATE_KEY=0x…` contains a secret. */
function hasSecret(text: string): boolean {
  if (recognizeSecret(text) !== null || /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return true;
  return text.split(/\r?\n/).some((line) => {
    const kind = recognizeSecret(line);
    if (kind === 'private-key' || kind === 'private-key-bytes' || kind === 'extended-key') return true;
    const [, name = '', value = ''] = /^\s*(?:export\s+)?["']?([\w.-]+)["']?\s*[=:]\s*(.*?)[\s,;]*$/.exec(line) ?? [];
    return SECRET_NAME.test(name) && recognizeSecret(value.replace(/^(["'`])(.*)\1$/, '$2')) !== null;
  });
}
