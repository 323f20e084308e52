import { z } from 'zod';

/** Why a payment is not accepted: a stable word for programs and a sentence for people. */
export class InvalidPayment extends Error {
  override readonly name = 'InvalidPayment';

  /** Known by its name: bundles of one process have classes of their own. */
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

/** A payment as a client presents it, in the terms of x402 v2, before anything in it is believed. */
export interface PresentedPayment {
  /** CAIP-2, or a name of x402 v1. */
  network: string;
  /** The requirement that the client says it chose; null from clients of v1, which do not say. */
  accepted: { asset: string; payTo: string; amount: string } | null;
  /** The scheme's own content: what was signed. */
  content: Readonly<Record<string, unknown>>;
}

/** Far above any payment that there is: a Solana transaction is 1,232 bytes, a smart wallet's signature a few KB. */
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
});
const v1Schema = z.object({ scheme: exact, network: shortText, payload: content });

/**
 * Reads the value of PAYMENT-SIGNATURE, X-PAYMENT or X-402-Payment: base64 of JSON. Which generation of x402 wrote it
 * is told by its shape alone, since clients of v1 carry whatever version number they saw: v2 says what it `accepted`,
 * v1 has `scheme` and `network` beside the payload.
 * @throws InvalidPayment
 */
export function readPresentedPayment(header: string): PresentedPayment {
  const value = decode(header);
  if (typeof value === 'object' && value !== null && 'accepted' in value) {
    const { accepted, payload } = parse(v2Schema, value);
    const { network, asset, payTo, amount } = accepted;
    return { network, accepted: { asset, payTo, amount }, content: payload };
  }
  const { network, payload } = parse(v1Schema, value);
  return { network, accepted: null, content: payload };
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
    throw new InvalidPayment('invalid_base64', 'The payment header is not the base64 of UTF-8 text.');
  }
  try {
    return JSON.parse(json);
  } catch {
    throw new InvalidPayment('invalid_json', 'The payment header is base64, but not of JSON.');
  }
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Checks a part of a payment. @throws InvalidPayment naming the field at fault. */
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
