import { chatRequestSchema, type ChatRequest } from '@/lib/protocol/chat/chat-request';
import { type ApiError, apiError, requestError } from '@/lib/protocol/errors';
import { type MemberLimits, type MembersFault, membersFault, type MemberSpan } from '@/lib/protocol/json-members';
import { parseJson } from '../http/json-body';
import { pathError, validated } from '../http/validation-error';

/** Limits for the JSON of a chat. They allow 7,000 messages of one part each. */
const LIMITS: MemberLimits = { valuesMax: 50_000, membersMax: 2_000, depthMax: 128, nameBytesMax: 4_096 };
/** Maximum top-level fields. No known server defines more than a fraction of this number. */
const OUTER_MAX = 256;
/** Maximum invalid messages to report. Reporting 10,000 takes 0.25 s, even for callers who do not pay. */
const FAULTY_MESSAGES_MAX = 20;

export interface ChatBody {
  bytes: Uint8Array;
  request: ChatRequest;
  members: ReadonlyMap<string, MemberSpan>;
}

/**
 * Parses the body of a chat request. Limits the number of values before parsing. Refuses duplicate names at any level,
 * because JSON parsers disagree on which value applies.
 * @throws ApiError 400 with details
 */
export function readChatBody(bytes: Uint8Array): ChatBody {
  const { json, members } = readBoundedJson(bytes);
  return { bytes, request: validated(chatRequestSchema, withFewFaults(json), 'The request body'), members };
}

/** Parses a body after limiting its values and depth. @throws ApiError 400 with details */
export function readBoundedJson(bytes: Uint8Array): { json: unknown; members: Map<string, MemberSpan> } {
  const members = new Map<string, MemberSpan>();
  const fault = membersFault(bytes, LIMITS, members);
  if (fault && fault.kind !== 'repeated') throw faultError(fault);
  // Parses first, so that invalid JSON is reported before duplicate names.
  const json = parseJson(bytes, { refusesMark: true });
  if (fault) throw faultError(fault);
  if (members.size > OUTER_MAX) throw wholeError(`The request body has more than ${OUTER_MAX} fields.`);
  return { json, members };
}

/** Keeps only the messages up to the last invalid message that will be reported. */
function withFewFaults(json: unknown): unknown {
  const messages = (json as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages)) return json;
  let faulty = 0;
  const last = messages.findIndex((message) => !isMessage(message) && ++faulty === FAULTY_MESSAGES_MAX);
  return last < 0 ? json : { ...(json as object), messages: messages.slice(0, last + 1) };
}

function isMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && typeof (message as { role?: unknown }).role === 'string';
}

function faultError(fault: MembersFault): ApiError {
  if (fault.kind === 'too-deep') return requestError('NESTING_TOO_DEEP');
  if (fault.kind === 'repeated') return pathError(fault.path, 'It appears twice');
  const { valuesMax, membersMax, nameBytesMax } = LIMITS;
  if (fault.kind === 'name-too-long')
    return wholeError(`A name in the request body has more than ${nameBytesMax.toLocaleString('en-US')} bytes.`);
  return wholeError(
    `The request body has more than ${valuesMax.toLocaleString('en-US')} members and items, or an object of more than ${membersMax.toLocaleString('en-US')}.`,
  );
}

function wholeError(message: string): ApiError {
  return apiError('INVALID_REQUEST', { message, details: { _errors: [message] } });
}

/** Copies only the fields for which `goesOut` returns true. Values keep their exact bytes. */
export function withMembersOf(body: ChatBody, goesOut: (name: string) => boolean): ChatBody {
  if (isEvery(body.members.keys(), goesOut)) return body;
  const members = new Map<string, MemberSpan>();
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    length += part.byteLength;
  };
  for (const [name, { start, end }] of body.members) {
    if (!goesOut(name)) continue;
    add(Buffer.from(`${members.size === 0 ? '{' : ','}${JSON.stringify(name)}:`));
    members.set(name, { start: length, end: length + end - start });
    add(body.bytes.subarray(start, end));
  }
  add(Buffer.from('}'));
  return { request: body.request, bytes: Buffer.concat(parts), members };
}

/** Sets fields of the body. The bytes of all other fields stay the same. */
export function withMembers({ bytes, members }: ChatBody, changes: Readonly<Record<string, unknown>>): Uint8Array {
  const replaced: { start: number; end: number; text: string }[] = [];
  let added = '';
  for (const [name, value] of Object.entries(changes)) {
    const place = members.get(name);
    const text = JSON.stringify(value);
    if (place) replaced.push({ ...place, text });
    // A chat request is never an empty object, so a comma always precedes the new field.
    else added += `,${JSON.stringify(name)}:${text}`;
  }
  if (added !== '') {
    const close = closingBrace(bytes);
    replaced.push({ start: close, end: close, text: added });
  }
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of replaced.sort((one, other) => one.start - other.start)) {
    parts.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

function isEvery<T>(values: Iterable<T>, holds: (value: T) => boolean): boolean {
  for (const value of values) if (!holds(value)) return false;
  return true;
}

/** Searches with a loop, because `lastIndexOf` takes a microsecond even if "}" is the last byte. */
function closingBrace(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && bytes[at] !== 0x7d) at--;
  return at;
}
