import { recordOf } from '../json-record';

/** Kind of attachments. A server accepts or refuses the whole kind. */
export type Attachment = 'images' | 'files';

const KINDS: Readonly<Record<string, Attachment>> = {
  image_url: 'images',
  input_image: 'images',
  image: 'images',
  file: 'files',
  input_file: 'files',
  document: 'files',
};

export const IMAGE_LINE = '[An image stood here, which cannot be shown.]';
export const fileLine = (name: string): string => `[The file ${name} stood here, which cannot be shown.]`;

interface Message {
  content?: unknown;
}

export function attachmentsIn(messages: readonly Message[]): ReadonlySet<Attachment> {
  const found = new Set<Attachment>();
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      const kind = attachmentOf(part);
      if (kind !== null) found.add(kind);
    }
  }
  return found;
}

/**
 * Replaces each attachment with a line of text. If all parts are then text, joins them into one string, because some
 * servers accept no list of parts.
 */
export function withoutAttachments<T extends Message>(messages: readonly T[], kinds: ReadonlySet<string>): T[] {
  return messages.map((message) => {
    const { content } = message;
    if (!Array.isArray(content) || !content.some((part) => isOf(part, kinds))) return message;
    const parts = content.map((part: unknown) => (isOf(part, kinds) ? { type: 'text', text: lineOf(part) } : part));
    return { ...message, content: parts.every(isPlainText) ? parts.map(({ text }) => text).join('\n') : parts };
  });
}

function attachmentOf(part: unknown): Attachment | null {
  const record = recordOf(part);
  const name = [record['type'], ...Object.keys(record)].find(
    (each): each is string => typeof each === 'string' && Object.hasOwn(KINDS, each),
  );
  return name === undefined ? null : (KINDS[name] ?? null);
}

function isOf(part: unknown, kinds: ReadonlySet<string>): boolean {
  const kind = attachmentOf(part);
  return kind !== null && kinds.has(kind);
}

function lineOf(part: unknown): string {
  if (attachmentOf(part) === 'images') return IMAGE_LINE;
  const { filename } = recordOf(recordOf(part)['file']);
  return fileLine(typeof filename === 'string' ? filename : 'of an unknown name');
}

/** Returns whether the part has nothing but text. Joining would lose other members, such as a cache mark. */
function isPlainText(part: unknown): part is { type: 'text'; text: string } {
  const { type, text, ...more } = recordOf(part);
  return type === 'text' && typeof text === 'string' && Object.keys(more).length === 0;
}
