import { z } from 'zod';

/** Name of x402's payment-identifier extension in `extensions`. */
export const PAYMENT_IDENTIFIER = 'payment-identifier';

const ID_LENGTH_MIN = 16;
const ID_LENGTH_MAX = 128;
const ID_CHARACTERS = '^[a-zA-Z0-9_-]+$';

/** Declaration of the extension in a 402's `extensions`. The id is optional. */
export const PAYMENT_IDENTIFIER_DECLARATION = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: ID_LENGTH_MIN, maxLength: ID_LENGTH_MAX, pattern: ID_CHARACTERS },
    },
    required: ['required'],
  },
} as const;

/**
 * Payment's extensions. Clients echo the declaration of the 402 and may add `info.id`. Refuses other formats, because
 * the sender would otherwise rely on an id that the gateway ignores.
 */
const paymentExtensionsSchema = z.object({
  [PAYMENT_IDENTIFIER]: z
    .object({
      info: z.object({
        id: z.string().min(ID_LENGTH_MIN).max(ID_LENGTH_MAX).regex(new RegExp(ID_CHARACTERS)).optional(),
      }),
    })
    .optional(),
});

const INVALID_IDENTIFIER = `The payment identifier is not valid. Send ${ID_LENGTH_MIN} to ${ID_LENGTH_MAX} letters, digits, "_" or "-" as extensions["${PAYMENT_IDENTIFIER}"].info.id, or none.`;

/** Refusal of a payment, with a stable code and a sentence. */
export class InvalidPayment extends Error {
  override readonly name = 'InvalidPayment';

  /** Compares class names, because each bundle has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'InvalidPayment';
  }

  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** Unverified payment from the client, in the format of x402 v2. */
export interface PresentedPayment {
  /** CAIP-2 name, or x402 v1 name. */
  network: string;
  /** Payment option that the client chose; null from v1 clients. */
  accepted: { asset: string; payTo: string; amount: string } | null;
  /** Signed data of the payment scheme. */
  content: Readonly<Record<string, unknown>>;
  /** Identifier that the client gave the payment, unsigned (x402, "payment-identifier"). */
  identifier?: string;
}

/**
 * Maximum length of a payment header. A Solana transaction is at most 1,232 bytes; a smart wallet's signature can be a
 * few KB.
 */
export const PAYMENT_HEADER_LENGTH_MAX = 64 * 1024;

const content = z.record(z.string(), z.unknown());
const exact = z.literal('exact', 'The scheme must be "exact"');
const shortText = z.string().min(1).max(200);

const v2Schema = z.object({
  accepted: z.object({
    scheme: exact,
    network: shortText,
    asset: shortText,
    payTo: shortText,
    amount: z.string().regex(/^\d{1,30}$/, 'Must be base units, in digits'),
  }),
  payload: content,
  extensions: z.unknown().optional(),
});
const v1Schema = z.object({ scheme: exact, network: shortText, payload: content });

/**
 * Parses PAYMENT-SIGNATURE, X-PAYMENT or X-402-Payment: base64 of JSON. Detects the x402 version by members, because v1
 * clients send any version number. A v2 payment has `accepted`; a v1 payment has `scheme` and `network` next to the
 * payload.
 *
 * @throws {InvalidPayment}
 */
export function readPresentedPayment(header: string): PresentedPayment {
  const value = decode(header);
  if (typeof value === 'object' && value !== null && 'accepted' in value) {
    const { accepted, payload, extensions } = parse(v2Schema, value);
    const { network, asset, payTo, amount } = accepted;
    const identifier = identifierOf(extensions);
    return {
      network,
      accepted: { asset, payTo, amount },
      content: payload,
      ...(identifier === undefined ? {} : { identifier }),
    };
  }
  const { network, payload } = parse(v1Schema, value);
  return { network, accepted: null, content: payload };
}

function identifierOf(extensions: unknown): string | undefined {
  const verdict = paymentExtensionsSchema.safeParse(extensions ?? {});
  if (!verdict.success) throw new InvalidPayment('invalid_payment_identifier', INVALID_IDENTIFIER);
  return verdict.data[PAYMENT_IDENTIFIER]?.info.id;
}

function decode(header: string): unknown {
  const text = header.trim();
  if (text.length > PAYMENT_HEADER_LENGTH_MAX)
    throw new InvalidPayment(
      'header_too_long',
      `The payment header is longer than ${PAYMENT_HEADER_LENGTH_MAX} characters.`,
    );
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text))
    throw new InvalidPayment('invalid_base64', 'The payment header is not valid base64.');
  let json: string;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(binary));
  } catch {
    throw new InvalidPayment('invalid_base64', 'The payment header is base64, but does not contain UTF-8 text.');
  }
  try {
    return JSON.parse(json);
  } catch {
    throw new InvalidPayment('invalid_json', 'The payment header is base64, but does not contain JSON.');
  }
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** @throws {InvalidPayment} naming the faulty field */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, at = ''): z.output<Schema> {
  const verdict = schema.safeParse(value);
  if (verdict.success) return verdict.data;
  const [issue] = verdict.error.issues;
  const path = [at, ...(issue?.path ?? [])]
    .filter((step) => step !== '')
    .map(String)
    .join('.');
  throw new InvalidPayment(
    'invalid_payload',
    `The payment has the wrong shape${path ? ` at "${path}"` : ''}: ${issue?.message ?? 'not an x402 payment'}.`,
  );
}
