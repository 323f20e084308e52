import { isRecord } from '@/lib/protocol/json-record';
import { hexToBytes } from '@noble/hashes/utils.js';
import { isEncryptedContent } from './codec';
import { E2eeError } from './e2ee-error';
import { isEd25519Content, parseEd25519Key } from './ed25519-codec';
import type { EncryptionScheme } from './encryption-headers';
import { fieldInTheClear } from './fields-in-the-clear';
import {
  E2EE_HEADER_NAMES,
  e2eeHeader,
  E2EE_HEADERS,
  E2EE_SIGNING_ALGORITHM,
  ED25519_ALGORITHM,
  ED25519_ENCRYPTION_VERSION,
  ENCLAVE_E2EE_HEADERS,
  encryptsAllFields,
  ENCRYPTION_VERSION_HEADER,
} from './headers';
import { assertPublicKey, parseClientPublicKey, parseModelPublicKey, PUBLIC_KEY_BYTES } from './public-key';

/** Refusal of an encrypted request, always with status 400. */
export interface E2eeRefusal {
  code:
    | 'E2EE_HEADERS'
    | 'E2EE_PUBLIC_KEY'
    | 'E2EE_STREAMING'
    | 'E2EE_NOT_ENCRYPTED'
    | 'E2EE_FEATURE'
    | 'E2EE_MODEL'
    | 'E2EE_MESSAGES';
  message: string;
}

export interface E2eeRequest {
  header: (name: string) => string | null | undefined;
  body: unknown;
  /** Encryption that the model requires; null for none. */
  encryption: MessageScheme | WholeBodyScheme | null;
}

/** Encryption of each message: with secp256k1 as specified, or with ed25519 as in NEAR AI's enclaves. */
export type MessageScheme = Extract<EncryptionScheme, 'ecdsa' | 'ed25519'>;

type WholeBodyScheme = Exclude<EncryptionScheme, MessageScheme>;

/**
 * Refusals for models with a scheme other than the specification's. Each refusal says where the scheme is documented.
 */
const OTHER_SCHEMES: Readonly<Record<Exclude<MessageScheme, 'ecdsa'> | WholeBodyScheme, string>> = {
  ed25519:
    'This model accepts messages encrypted with ed25519 (model_spec.encryption: ed25519), not with ecdsa. See "With keys of ed25519" in docs/private-inference.md.',
  ehbp: 'This model accepts bodies encrypted as a whole with EHBP (model_spec.encryption: ehbp), not single encrypted messages. See "Bodies that are encrypted as a whole" in docs/private-inference.md.',
  'ml-kem-768':
    'This model accepts bodies encrypted as a whole with ML-KEM-768 (model_spec.encryption: ml-kem-768), not single encrypted messages. See "Bodies for one of several instances" in docs/private-inference.md.',
};

interface SchemeRules {
  algorithm: string;
  /** @throws for an invalid key */
  parseClientKey: (text: string) => Uint8Array;
  parseModelKey: (text: string) => Uint8Array;
  isEncrypted: (content: string) => boolean;
  /** Returns whether the content begins with a curve point. Null for X25519, where any 32 bytes are a valid key. */
  startsWithPoint: ((content: string) => boolean) | null;
  refuseVersion: (version: string | null | undefined) => string | null;
}

const SCHEMES: Readonly<Record<MessageScheme, SchemeRules>> = {
  ecdsa: {
    algorithm: E2EE_SIGNING_ALGORITHM,
    parseClientKey: parseClientPublicKey,
    parseModelKey: parseModelPublicKey,
    isEncrypted: isEncryptedContent,
    startsWithPoint,
    refuseVersion,
  },
  ed25519: {
    algorithm: ED25519_ALGORITHM,
    parseClientKey: parseEd25519Key,
    parseModelKey: parseEd25519Key,
    isEncrypted: isEd25519Content,
    startsWithPoint: null,
    refuseVersion: refuseEd25519Version,
  },
};

/** Fields that an enclave cannot support because it receives only ciphertext (specification, rule 5). */
const DISABLED_FIELDS: Readonly<Record<string, string>> = {
  tools: 'Function calling',
  tool_choice: 'Function calling',
  functions: 'Function calling',
  function_call: 'Function calling',
  parallel_tool_calls: 'Function calling',
  web_search: 'Web search',
  web_search_options: 'Web search',
  enable_web_search: 'Web search',
  files: 'File upload',
  attachments: 'File upload',
};

const HEADERS = Object.keys(E2EE_HEADERS) as (keyof typeof E2EE_HEADERS)[];
const ENCRYPTION_VERSION = '1';
/** Maximum number of messages. Checking that a message's key is on the curve takes 14 µs. */
const MESSAGES_MAX = 1_000;
const ENCRYPTED_ROLES: ReadonlySet<string> = new Set(['user', 'system']);

/**
 * Checks a chat request that has an E2EE header (`isE2eeRequest`), so that no plaintext is forwarded by mistake. A
 * valid request has three valid headers, requests a stream, uses no disabled field, and encrypts every user and system
 * message.
 *
 * @returns first fault, or null
 */
export function refuseE2eeRequest({ header, body, encryption }: E2eeRequest): E2eeRefusal | null {
  // Whole-body encryption allows no E2EE header, whatever its value.
  if (encryption === 'ehbp' || encryption === 'ml-kem-768')
    return { code: 'E2EE_MODEL', message: OTHER_SCHEMES[encryption] };
  if (encryption === 'ed25519' && isAsSpecified(header)) return { code: 'E2EE_MODEL', message: OTHER_SCHEMES.ed25519 };
  if (encryption === null)
    return (
      refuseHeaders(header, 'ecdsa') ?? {
        code: 'E2EE_MODEL',
        message: 'This model does not accept end-to-end encrypted requests (supportsE2EE).',
      }
    );
  return (
    refuseHeaders(header, encryption) ??
    refuseBody(body, encryption) ??
    refuseClearFields(body as Record<string, unknown>, encryptsAllFields(header) === true)
  );
}

/** Returns whether version and algorithm are those of the specification's scheme. */
function isAsSpecified(header: E2eeRequest['header']): boolean {
  const version = header(ENCRYPTION_VERSION_HEADER);
  return (
    (version == null || version === ENCRYPTION_VERSION) &&
    e2eeHeader(header, 'signingAlgorithm') === E2EE_SIGNING_ALGORITHM
  );
}

function refuseHeaders(header: E2eeRequest['header'], scheme: MessageScheme): E2eeRefusal | null {
  const missing = HEADERS.filter((name) => !header(E2EE_HEADERS[name]) && !header(ENCLAVE_E2EE_HEADERS[name])).map(
    (name) => E2EE_HEADER_NAMES[name],
  );
  if (missing.length > 0)
    return {
      code: 'E2EE_HEADERS',
      message: `An end-to-end encrypted request needs all three headers: ${listed(missing)} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    };
  const twice = HEADERS.find((name) => e2eeHeader(header, name) === null);
  if (twice)
    return {
      code: 'E2EE_HEADERS',
      message: `${E2EE_HEADER_NAMES[twice]} is sent under two names with different values. Send one of them.`,
    };
  const { algorithm, parseClientKey, parseModelKey, refuseVersion: refused } = SCHEMES[scheme];
  const version = refused(header(ENCRYPTION_VERSION_HEADER));
  if (version !== null) return { code: 'E2EE_HEADERS', message: version };
  if (encryptsAllFields(header) === null)
    return {
      code: 'E2EE_HEADERS',
      message:
        'X-Encrypt-All-Fields must be true or false. If X-Service-TEE-Encrypt-All-Fields is sent too, it must have the same value.',
    };
  if (e2eeHeader(header, 'signingAlgorithm') !== algorithm)
    return { code: 'E2EE_HEADERS', message: `${E2EE_HEADER_NAMES.signingAlgorithm} must be ${algorithm}.` };
  return refuseKey('clientPublicKey', parseClientKey, header) ?? refuseKey('modelPublicKey', parseModelKey, header);
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}

function refuseEd25519Version(version: string | null | undefined): string | null {
  return version === ED25519_ENCRYPTION_VERSION
    ? null
    : `X-Encryption-Version must be ${ED25519_ENCRYPTION_VERSION}: messages to this model are encrypted with ${ED25519_ALGORITHM}.`;
}

function refuseVersion(version: string | null | undefined): string | null {
  if (version == null || version === ENCRYPTION_VERSION) return null;
  return `X-Encryption-Version must be ${ENCRYPTION_VERSION}, or left out: later versions of the encryption are not supported.`;
}

function refuseKey(
  name: keyof typeof E2EE_HEADERS,
  parse: (text: string) => Uint8Array,
  header: E2eeRequest['header'],
): E2eeRefusal | null {
  try {
    parse(e2eeHeader(header, name) ?? '');
    return null;
  } catch (error) {
    return { code: 'E2EE_PUBLIC_KEY', message: `${(error as E2eeError).message} (${E2EE_HEADER_NAMES[name]}).` };
  }
}

function refuseBody(body: unknown, scheme: MessageScheme): E2eeRefusal | null {
  if (!isRecord(body)) return { code: 'E2EE_MESSAGES', message: 'The body must be an object with messages.' };
  if (body['stream'] !== true)
    return { code: 'E2EE_STREAMING', message: 'E2EE requires streaming: set "stream" to true.' };
  const disabled = disabledFeature(body) ?? disabledParameter(body);
  if (disabled)
    return {
      code: 'E2EE_FEATURE',
      message: `${disabled.feature} is disabled in end-to-end encrypted requests: leave out "${disabled.path}".`,
    };
  if (!Array.isArray(body['messages'])) return { code: 'E2EE_MESSAGES', message: '"messages" must be an array.' };
  if (body['messages'].length > MESSAGES_MAX)
    return {
      code: 'E2EE_MESSAGES',
      message: `An end-to-end encrypted request has at most ${MESSAGES_MAX.toLocaleString('en-US')} messages. Put the earlier conversation into one message.`,
    };
  for (const [index, message] of body['messages'].entries()) {
    const refusal = refuseMessage(message, `messages[${index}]`, scheme);
    if (refusal) return refusal;
  }
  return null;
}

/** Refuses fields whose results the enclave would send in plaintext although the messages are encrypted. */
function refuseClearFields(body: Record<string, unknown>, encryptsAll: boolean): E2eeRefusal | null {
  const field = fieldInTheClear(body, encryptsAll);
  if (field === null) return null;
  const remedy = field.isEncryptable ? 'send X-Encrypt-All-Fields: true, or leave it out' : 'leave it out';
  return { code: 'E2EE_FEATURE', message: `The enclave would send "${field.path}" unencrypted: ${remedy}.` };
}

interface Disabled {
  feature: string;
  path: string;
}

function disabledFeature(fields: Record<string, unknown>, above = ''): Disabled | null {
  const found = Object.entries(DISABLED_FIELDS).find(([field]) => asksForSomething(fields[field]));
  return found ? { feature: found[1], path: above + found[0] } : null;
}

/** Finds a disabled field in a `…_parameters` object, where some services put additional options. */
function disabledParameter(body: Record<string, unknown>): Disabled | null {
  for (const [name, value] of Object.entries(body)) {
    const disabled =
      name.endsWith('_parameters') && isRecord(value) ? disabledFeature(value, `${name.slice(0, 60)}.`) : null;
    if (disabled) return disabled;
  }
  return null;
}

function asksForSomething(value: unknown): boolean {
  if (value == null || value === false || value === 'none' || value === 'off') return false;
  return !(Array.isArray(value) && value.length === 0);
}

function refuseMessage(message: unknown, path: string, scheme: MessageScheme): E2eeRefusal | null {
  if (!isRecord(message) || typeof message['role'] !== 'string')
    return { code: 'E2EE_MESSAGES', message: `${path} must be an object with a role.` };
  // Ignores case and whitespace of roles, as a lenient upstream would. Otherwise plaintext could pass.
  if (!ENCRYPTED_ROLES.has(message['role'].trim().toLowerCase())) return null;
  const { content } = message;
  const { isEncrypted, startsWithPoint: startsWell } = SCHEMES[scheme];
  if (typeof content !== 'string' || !isEncrypted(content)) return notEncrypted(path);
  return startsWell?.(content) === false ? notEncrypted(path, 'it does not start with a public key') : null;
}

/**
 * Returns whether the hex text starts with a curve point. Plaintext in hex, such as a list of hashes, almost never
 * does.
 */
function startsWithPoint(content: string): boolean {
  try {
    assertPublicKey(hexToBytes(content.slice(0, 2 * PUBLIC_KEY_BYTES).toLowerCase()));
    return true;
  } catch {
    return false;
  }
}

function notEncrypted(path: string, why = 'encrypt it with the algorithm of the E2EE headers'): E2eeRefusal {
  return {
    code: 'E2EE_NOT_ENCRYPTED',
    message: `${new E2eeError('ENCRYPTED_FIELD_NOT_HEX').message}: ${path}.content; ${why}.`,
  };
}
