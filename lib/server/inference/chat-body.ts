import { chatRequestSchema, type ChatRequest } from '@/lib/protocol/chat/chat-request';
import { apiError, requestError } from '@/lib/protocol/errors';
import { scanObject, skipWhitespace } from '@/lib/protocol/json-scan';
import { parseJson } from '../http/parse-json';
import { validated } from '../http/validation-error';

const DEPTH_MAX = 128;

/** A chat request as it came, and as it is read. */
export interface ChatBody {
  bytes: Uint8Array;
  request: ChatRequest;
  /** Where the values of its members are. */
  members: ReadonlyMap<string, { start: number; end: number }>;
}

/**
 * Reads the body of a chat request. A member that stands there twice is refused: whoever reads it after us might take
 * the other one.
 * @throws ApiError 400 with details
 */
export function readChatBody(bytes: Uint8Array): ChatBody {
  const request = validated(chatRequestSchema, parseJson(bytes, { refusesMark: true }), 'The request body');
  const members = new Map<string, { start: number; end: number }>();
  let twice: string | null = null;
  const end = scanObject(bytes, skipWhitespace(bytes, 0), DEPTH_MAX, (key, start, valueEnd) => {
    if (members.has(key)) twice ??= key;
    members.set(key, { start, end: valueEnd });
  });
  if (end < 0) throw requestError('NESTING_TOO_DEEP');
  if (twice !== null) {
    const message = `The member ${JSON.stringify((twice as string).slice(0, 60))} stands in the request body twice.`;
    throw apiError('INVALID_REQUEST', { message, details: { _errors: [message] } });
  }
  return { bytes, request, members };
}

/** The same body with these members set, every other byte as it came: numbers keep all of their digits. */
export function withMembers({ bytes, members }: ChatBody, changes: Readonly<Record<string, unknown>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const added: string[] = [];
  const replaced: { start: number; end: number; text: string }[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const place = members.get(name);
    const text = JSON.stringify(value);
    if (place) replaced.push({ ...place, text });
    else added.push(`${JSON.stringify(name)}:${text}`);
  }
  let at = 0;
  for (const { start, end, text } of replaced.sort((one, other) => one.start - other.start)) {
    parts.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  if (added.length === 0) return Buffer.concat([...parts, bytes.subarray(at)]);
  // Every chat request has members already, so that a comma is in place.
  const close = bytes.lastIndexOf(0x7d);
  return Buffer.concat([...parts, bytes.subarray(at, close), Buffer.from(`,${added.join(',')}`), bytes.subarray(close)]);
}
