import { z } from 'zod';
import { familyOfChain, isSameAddress } from '@/lib/protocol/wallet-address';
import { MALFORMED, scanObject, skipWhitespace } from '../json-scan';
import { canonicalChainId, MalformedSignIn } from './message-fields';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './message';

/** Current name of the sign-in header (spec, "Versioning"). */
export const SIGN_IN_HEADER = 'SIGN-IN-WITH-X';
export const SIGN_IN_LEGACY_HEADER = 'X-Sign-In-With-X';

/** Maximum header length, in characters. An undeployed smart wallet needs a fraction of it. */
export const SIGN_IN_HEADER_LENGTH_MAX = 12_288;

/** Parsed sign-in message with its signature, both unverified. */
export interface SignIn {
  text: string;
  message: SignInMessage;
  /** May differ in case from the message's address. */
  address: string;
  signature: string;
  /** CAIP-2. */
  chainId: string;
  /** Unix milliseconds. Null in the x402 form, which has no timestamp. */
  timestamp: number | null;
}

const text = (max: number) => z.string().min(1).max(max);

/** Payload in the specification's format, with the signed text (spec, "Authentication"). */
const messagePayload = z.object({
  address: text(64),
  message: text(8_192),
  signature: text(8_192),
  timestamp: z.number().int().min(0),
  chainId: z.union([z.number().int().min(0), text(64)]),
  type: text(16).optional(),
});

/** Payload in the format of the x402 extension sign-in-with-x. */
const fieldPayload = z.object({
  domain: text(512),
  address: text(64),
  statement: z.string().max(2_048).optional(),
  uri: text(2_048),
  version: text(8),
  chainId: text(64),
  type: text(16),
  nonce: text(256),
  issuedAt: text(64),
  expirationTime: text(64).optional(),
  notBefore: text(64).optional(),
  requestId: z.string().max(512).optional(),
  resources: z.array(text(2_048)).max(32).optional(),
  signature: text(8_192),
});

/** Default signature type (spec, "Authentication"). */
const DEFAULT_TYPE = 'eip191';

const TYPES: Readonly<Record<SignInMessage['family'], readonly string[]>> = {
  evm: ['eip191', 'eip1271', 'eip6492'],
  solana: ['ed25519'],
};

/**
 * Parses a sign-in header: Base64 (RFC 4648, either alphabet, padded or not) of a JSON object. An object with a string
 * `message` has the specification's format; any other object has x402's. Address, chain and type must agree with the
 * message. Does not verify time, host or signature.
 *
 * @throws {MalformedSignIn}
 */
export function readSignInHeader(header: string): SignIn {
  if (header.length > SIGN_IN_HEADER_LENGTH_MAX)
    throw new MalformedSignIn(`The sign-in header is longer than ${SIGN_IN_HEADER_LENGTH_MAX} characters.`);
  const payload = parseObject(decodeBase64(header));
  const { signIn, type } = typeof payload.message === 'string' ? readMessageForm(payload) : readFieldForm(payload);
  const { message, address, chainId } = signIn;
  if (!isSameAddress(message.family, address, message.address))
    throw new MalformedSignIn('The "address" of the sign-in is not the one in its message.');
  if (canonicalChainId(message.chainId) !== chainId)
    throw new MalformedSignIn('The "chainId" of the sign-in is not the one in its message.');
  if (familyOfChain(chainId) !== message.family)
    throw new MalformedSignIn('The chain of the sign-in does not belong to this kind of wallet.');
  const types = TYPES[message.family];
  if (!types.includes(type)) {
    throw new MalformedSignIn(
      `The "type" of the sign-in must be ${types.length === 1 ? '' : 'one of '}${types.join(', ')} for this kind of wallet; without "type", it is ${DEFAULT_TYPE}.`,
    );
  }
  return signIn;
}

interface Form {
  signIn: SignIn;
  type: string;
}

function readMessageForm(payload: Record<string, unknown>): Form {
  const { address, message, signature, timestamp, chainId, type = DEFAULT_TYPE } = checked(messagePayload, payload);
  return {
    signIn: {
      text: message,
      message: parseSignInMessage(message),
      address,
      signature,
      chainId: canonical(chainId),
      timestamp,
    },
    type,
  };
}

function readFieldForm(payload: Record<string, unknown>): Form {
  const { signature, chainId: givenChainId, type, ...fields } = checked(fieldPayload, payload);
  const chainId = canonical(givenChainId);
  const family = familyOfChain(chainId);
  // Keeps the Solana cluster's name as the client wrote it, because the wallet signed that name.
  const message = formatSignInMessage({
    ...withoutUndefined(fields),
    family,
    chainId: { evm: chainId, solana: givenChainId }[family],
  });
  return {
    signIn: {
      text: message,
      message: parseSignInMessage(message),
      address: fields.address,
      signature,
      chainId,
      timestamp: null,
    },
    type,
  };
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function canonical(chainId: string | number): string {
  const caip2 = canonicalChainId(chainId);
  if (caip2 === null)
    throw new MalformedSignIn('The "chainId" of the sign-in is not a chain; Base is 8453 or "eip155:8453".');
  return caip2;
}

function checked<T extends z.ZodType>(schema: T, payload: Record<string, unknown>): z.output<T> {
  const verdict = schema.safeParse(payload);
  if (verdict.success) return verdict.data;
  const field = String(verdict.error.issues[0]?.path[0] ?? '');
  throw new MalformedSignIn(
    `The field ${JSON.stringify(field)} of the sign-in ${field in payload ? 'does not have the expected form' : 'is missing'}.`,
  );
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function decodeBase64(header: string): Uint8Array {
  if (!BASE64.test(header)) throw new MalformedSignIn('The sign-in header is not Base64.');
  try {
    const binary = atob(header.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    throw new MalformedSignIn('The sign-in header is not Base64: it is cut off or padded wrongly.');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const DEPTH_MAX = 8;

/** Refuses duplicate names, because two parsers could read different values. */
function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new MalformedSignIn('The sign-in header is not the Base64 of JSON.');
  }
  const names = new Set<string>();
  let count = 0;
  const end = scanObject(bytes, skipWhitespace(bytes, 0), DEPTH_MAX, (name) => {
    names.add(name);
    count++;
  });
  if (end === MALFORMED || typeof value !== 'object' || value === null)
    throw new MalformedSignIn('The sign-in header is not the Base64 of a JSON object.');
  if (end < 0) throw new MalformedSignIn('The JSON object of the sign-in header is nested too deeply.');
  if (names.size < count) throw new MalformedSignIn('The JSON object of the sign-in header has a field twice.');
  return value as Record<string, unknown>;
}
