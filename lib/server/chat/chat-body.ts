import { chatRequestSchema, type ChatRequest } from '@/lib/protocol/chat/chat-request';
import { type ApiError, apiError, requestError } from '@/lib/protocol/errors';
import { type MemberLimits, type MembersFault, membersFault, type MemberSpan } from '@/lib/protocol/json-members';
import { parseJson } from '../http/json-body';
import { pathError, validated } from '../http/validation-error';

/** Of a body: seven thousand messages of one part come to fewer. An object has at most as many members as a bias of tokens. */
const LIMITS: MemberLimits = { valuesMax: 50_000, membersMax: 2_000, depthMax: 128, nameBytesMax: 4_096 };
/** At the top: several times the fields that any server knows. */
const OUTER_MAX = 256;
/** Whose faults are told. Telling those of ten thousand takes a quarter of a second, and whoever cannot pay may ask for it. */
const FAULTY_MESSAGES_MAX = 20;

/** A chat request as it came, and as it is read. */
export interface ChatBody {
  bytes: Uint8Array;
  request: ChatRequest;
  /** Where the values of its members are. */
  members: ReadonlyMap<string, MemberSpan>;
}

/**
 * Reads the body of a chat request. A member that stands in one object twice, at whatever level, is refused: whoever
 * reads it after us might take the other one. How much is in the body is counted before it is parsed.
 * @throws ApiError 400 with details
 */
export function readChatBody(bytes: Uint8Array): ChatBody {
  const { json, members } = readBoundedJson(bytes);
  return { bytes, request: validated(chatRequestSchema, withFewFaults(json), 'The request body'), members };
}

/** The JSON of a body, counted before it is parsed. @throws ApiError 400 with details */
export function readBoundedJson(bytes: Uint8Array): { json: unknown; members: Map<string, MemberSpan> } {
  const members = new Map<string, MemberSpan>();
  const fault = membersFault(bytes, LIMITS, members);
  if (fault && fault.kind !== 'repeated') throw faultError(fault);
  // What is not even JSON is told first.
  const json = parseJson(bytes, { refusesMark: true });
  if (fault) throw faultError(fault);
  if (members.size > OUTER_MAX) throw wholeError(`The request body has more than ${OUTER_MAX} fields.`);
  return { json, members };
}

/** The same with all messages after so many faulty ones left out: it is refused for those. */
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
  if (fault.kind === 'repeated') return pathError(fault.path, 'It is given twice');
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

/** The same body with those of its members alone that are to go out, each as it came. */
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

/** The same body with these members set, every other byte as it came: numbers keep all of their digits. */
export function withMembers({ bytes, members }: ChatBody, changes: Readonly<Record<string, unknown>>): Uint8Array {
  const replaced: { start: number; end: number; text: string }[] = [];
  let added = '';
  for (const [name, value] of Object.entries(changes)) {
    const place = members.get(name);
    const text = JSON.stringify(value);
    if (place) replaced.push({ ...place, text });
    // Every chat request has members already, so that a comma is in place.
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

/** From the end by hand: for the byte or two that it is away, `lastIndexOf` takes a microsecond. */
function closingBrace(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && bytes[at] !== 0x7d) at--;
  return at;
}
