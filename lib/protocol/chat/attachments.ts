import { recordOf } from '../json-record';

/** Kind of attachment. A server accepts or refuses all attachments of a kind. */
export type Attachment = 'images' | 'files';

const KINDS: Readonly<Record<string, Attachment>> = {
  image_url: 'images',
  input_image: 'images',
  image: 'images',
  file: 'files',
  input_file: 'files',
  document: 'files',
};

export const IMAGE_LINE = '[An image was here. It cannot be shown.]';
export const fileLine = (name: string): string => `[The file ${name} was here. It cannot be shown.]`;

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
 * servers do not accept a list of parts.
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

/** Returns whether the part contains only text. Joining parts would lose any other member, such as a cache mark. */
function isPlainText(part: unknown): part is { type: 'text'; text: string } {
  const { type, text, ...more } = recordOf(part);
  return type === 'text' && typeof text === 'string' && Object.keys(more).length === 0;
}

const NAMED: Readonly<Record<Attachment, RegExp>> = {
  images: /\b(images?|image_url|input_image|vision|pictures?|multi-?modal)\b/i,
  files: /\b(files?|documents?|pdfs?|input_file)\b/i,
};
/** Matches refusals by servers that accept only text content. */
const TEXTS_ALONE = /content\b.{0,80}\b(must|should) be a (valid )?string|\bvalid string\b/i;
/** Matches refusals that do not mention the attachment (Ollama, LM Studio). */
const UNNAMED = /\b(invalid|unsupported|unknown|unrecognized) (message|content|part)( format| type| part)?\b/i;

/**
 * Returns the kinds of attachments that a server refused.
 *
 * @param said server's error text
 * @param sent kinds of attachments in the request
 */
export function refusedAttachments(said: string, sent: ReadonlySet<Attachment>): ReadonlySet<Attachment> {
  const named = [...sent].filter((kind) => NAMED[kind].test(said));
  if (named.length > 0) return new Set(named);
  return TEXTS_ALONE.test(said) || UNNAMED.test(said) ? sent : new Set();
}

const BYTES = /^(data:[\w/+.-]+;base64,)?[A-Za-z0-9+/=_-]{64,}$/;

/**
 * Matches refusals that concern the model or server and not one image. Each pattern contains a space or an API's field
 * name, so it cannot match an attachment's base64.
 */
const LASTING: readonly RegExp[] = [
  /\b(is|are) not (a )?multi-?modal( model| models)?/i,
  /\b(model|endpoint|server|api|provider|deployment)\b.{0,60}\b(does not|doesn't|do not|don't|cannot|can't|not) (support|accept|take|process|handle|allow|see|have)\b.{0,40}\b(images?|vision|pictures?|image_url|multi-?modal|files?|documents?|pdfs?)/i,
  /\b(images?|image input|image_url|vision|multi-?modal(ity)?( input)?|files?|file input|pdfs?)( inputs?| content)? (is|are) not (supported|accepted|available|enabled|allowed)/i,
  /\bno endpoints found that support (image|file)/i,
  /\bat most 0 images?/i,
  /\bmissing data required for image input/i,
  /\bunknown variant .{0,4}(image_url|file)\b/i,
  /\b(unknown|unsupported|invalid) (part|content) type\b.{0,4}(image_url|image|file)\b/i,
  TEXTS_ALONE,
];

/**
 * Returns whether the refusal means that the model never accepts attachments. Ignores text from the request, because
 * servers quote it in errors.
 */
export function isLastingRefusal(said: string, asked: object): boolean {
  // Leaves out attachment bytes, which are slow to compare and cannot match a pattern.
  const request = comparable(
    JSON.stringify(asked, (_name, value: unknown) => (typeof value === 'string' && BYTES.test(value) ? '' : value)),
  );
  return LASTING.some((sentence) => {
    const found = sentence.exec(said)?.[0];
    return found !== undefined && !request.includes(comparable(found));
  });
}

function comparable(text: string): string {
  return text
    .replace(/%[0-9a-f]{2}|\\u[0-9a-f]{4}|[\W_]+/gi, ' ')
    .replace(/ +/g, ' ')
    .toLowerCase();
}
