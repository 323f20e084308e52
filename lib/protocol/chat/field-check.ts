import { CHAT_FIELDS, chatField, type ChatRequest, LIMITING_NAMES, MULTIPLYING_NAMES } from './chat-request';

/** Characters other than letters and digits. Decoders ignore some of these characters in names. */
const OTHERS = /[^\p{L}\p{N}]+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_OTHERS = /[^A-Za-z0-9]+/g;
/** Longest name that `foldedName` folds. No decoder recognizes a longer name. */
const LENGTH_MAX = 128;

/**
 * Folds a name as the most lenient decoder would. Case follows Unicode, as in Go's encoding/json: the long s becomes s,
 * and the Kelvin sign becomes k. Compatibility forms and diacritical marks are removed. `max_tokens`, `max-tokens` and
 * `maxTokens` become equal, as in protobuf's JSON, Jackson and .NET. Some servers may treat two names with the same
 * fold as one member.
 */
export function foldedName(name: string): string {
  if (name.length > LENGTH_MAX) return name;
  if (ASCII.test(name)) return name.replace(ASCII_OTHERS, '').toLowerCase();
  const apart = name.normalize('NFKD');
  // NFKD can expand one character to eighteen.
  if (apart.length > LENGTH_MAX) return name;
  // `toUpperCase` comes first because it maps ß to SS and ı to I.
  return apart.toUpperCase().toLowerCase().normalize('NFKD').replace(OTHERS, '');
}

/** Field that must not be sent, with the reason (without a full stop). */
export interface FieldFault {
  path: readonly string[];
  message: string;
}

/** Matches folded names of fields that may limit or multiply generation, besides `LIMITING_NAMES`. */
const LIMITING_PARTS = /token|predict|beam|budget|candidate|bestof|returnsequence|^(?:max|min|num)./;
/** Names that are harmless inside an unknown object: options of a chat template. */
const SWITCHES: ReadonlySet<string> = new Set(['thinking', 'reasoning']);

/** Maximum number of unknown names in a request, because folding each name takes time. */
const UNKNOWN_MAX = 1_000;

const KNOWN = folded(Object.keys(CHAT_FIELDS));
const LIMITING: ReadonlySet<string> = new Set(LIMITING_NAMES.map(foldedName));
/** Fields that the gateway refuses for plain models, with reasons. */
const REFUSED: readonly (readonly [name: string, reason: string])[] = Object.entries(CHAT_FIELDS).flatMap(
  ([name, { plain, reason }]) => (plain === 'refused' ? [[name, String(reason)] as const] : []),
);
const MULTIPLYING: ReadonlySet<string> = new Set(MULTIPLYING_NAMES.map(foldedName));

const WITHIN = {
  message: names('role content name tool_calls tool_call_id function_call refusal audio reasoning_content reasoning'),
  part: names('type text image_url input_audio file refusal video_url audio_url'),
  stream_options: names('include_usage include_obfuscation continuous_usage_stats'),
  response_format: names('type json_schema'),
  json_schema: names('name description schema strict'),
};

/**
 * Finds a field that a request to an attested model must not have, because the gateway cannot remove it. Examples: a
 * field name that only some decoders recognize, and a field that changes the amount of text and so the price.
 *
 * @param allowed names that the operator has added
 */
export function enclaveFieldFault(
  request: ChatRequest,
  members: Iterable<string>,
  allowed: ReadonlySet<string>,
): FieldFault | null {
  const others = folded(allowed);
  const harmless = new Set<string>();
  for (const name of members) {
    const field = chatField(name);
    const value = (request as Record<string, unknown>)[name];
    if (allowed.has(name) || (field && (field.enclave === 'sent' || value === null))) continue;
    if (field) return { path: [name], message: `${field.reason ?? 'It is not offered'}; leave it out` };
    const variant = variantOf(name, KNOWN) ?? variantOf(name, others);
    if (variant) return { path: [name], message: notWritten(variant) };
    if (isLimiting(foldedName(name))) return { path: [name], message: LIMITS };
    const fault = limitingWithin(value, [name], harmless);
    if (fault) return fault;
  }
  return null;
}

/** Finds a nested member that some decoders read as another member. Used for all models. */
export function innerFieldFault(request: ChatRequest): FieldFault | null {
  const { messages, stream_options: options, response_format: format } = request;
  const harmless = { message: new Set<string>(), part: new Set<string>() };
  for (const [index, message] of messages.entries()) {
    const fault =
      variantIn(message, WITHIN.message, ['messages', String(index)], harmless.message) ??
      partFault(message.content, ['messages', String(index), 'content'], harmless.part);
    if (fault) return fault;
  }
  return (
    variantIn(options, WITHIN.stream_options, ['stream_options']) ??
    variantIn(format, WITHIN.response_format, ['response_format']) ??
    variantIn(format?.type === 'json_schema' ? format.json_schema : null, WITHIN.json_schema, [
      'response_format',
      'json_schema',
    ])
  );
}

/**
 * Finds a field that asks a plain model for a feature that the gateway does not offer. Other unknown fields are removed
 * later.
 */
export function plainFieldFault(request: ChatRequest): FieldFault | null {
  for (const [name, reason] of REFUSED) {
    if ((request as Record<string, unknown>)[name] != null) return { path: [name], message: `${reason}; leave it out` };
  }
  return null;
}

/**
 * Returns the reason, without a full stop, why the operator cannot add this field; null if allowed. Most fields that
 * the gateway removes by default can be added.
 */
export function addedFieldFault(name: string): string | null {
  const field = chatField(name);
  if (field)
    return field.plain === 'left-out' && field.effect === 'none'
      ? null
      : field.plain === 'sent'
        ? 'Is already sent'
        : (field.reason ?? 'Is not offered');
  const variant = KNOWN.get(foldedName(name));
  if (variant !== undefined) return `Some servers read it as "${variant}"`;
  return MULTIPLYING.has(foldedName(name))
    ? 'Could generate several completions for one request, or contain nested fields'
    : null;
}

const LIMITS =
  'It limits or multiplies the generated tokens, and only max_tokens, max_completion_tokens and n are priced; leave it out';

function notWritten(name: string): string {
  return `Some servers read it as "${name}" and others do not; spell it "${name}", or leave it out`;
}

function partFault(content: unknown, path: readonly string[], harmless: Set<string>): FieldFault | null {
  if (!Array.isArray(content)) return null;
  for (const [index, part] of (content as unknown[]).entries()) {
    const fault = variantIn(part, WITHIN.part, [...path, String(index)], harmless);
    if (fault) return fault;
  }
  return null;
}

function variantIn(
  value: unknown,
  known: ReadonlyMap<string, string>,
  path: readonly string[],
  harmless = new Set<string>(),
): FieldFault | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  for (const name of Object.keys(value)) {
    if (known.get(name) === name || harmless.has(name)) continue;
    const variant = variantOf(name, known);
    if (variant) return { path: [...path, name], message: notWritten(variant) };
    if (harmless.add(name).size > UNKNOWN_MAX) return tooManyUnknown(path);
  }
  return null;
}

function variantOf(name: string, known: ReadonlyMap<string, string>): string | null {
  if (known.get(name) === name) return null;
  const variant = known.get(foldedName(name));
  return variant === undefined || variant === name ? null : variant;
}

/**
 * Finds a nested member that limits or multiplies generation.
 *
 * @param harmless names known to be harmless; the function adds the names that it checks
 */
function limitingWithin(value: unknown, path: readonly string[], harmless: Set<string>): FieldFault | null {
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !harmless.has(name)) {
      if (limitsWithin(name)) return { path: [...path, name], message: LIMITS };
      if (harmless.add(name).size > UNKNOWN_MAX) return tooManyUnknown(path);
    }
    const found = limitingWithin(inner, [...path, name], harmless);
    if (found) return found;
  }
  return null;
}

function limitsWithin(name: string): boolean {
  const folded = foldedName(name);
  const field = KNOWN.get(folded);
  return (isLimiting(folded) && !SWITCHES.has(folded)) || (field !== undefined && chatField(field)?.effect !== 'none');
}

function isLimiting(folded: string): boolean {
  return LIMITING.has(folded) || LIMITING_PARTS.test(folded);
}

function tooManyUnknown(path: readonly string[]): FieldFault {
  return {
    path: path.slice(0, 1),
    message: `It has more than ${UNKNOWN_MAX.toLocaleString('en-US')} unknown names`,
  };
}

function folded(all: Iterable<string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of all) {
    found.set(foldedName(name), name);
    found.set(name, name);
  }
  return found;
}

function names(list: string): ReadonlyMap<string, string> {
  return folded(list.split(' '));
}
