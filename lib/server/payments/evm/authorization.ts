import { getAddress, type Hex, size, zeroAddress } from 'viem';
import { z } from 'zod';
import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { authorizationDigest, type TokenDomain, type TransferAuthorization } from './authorization-digest';
import { canonicalKeySignature } from './payer-signature';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Must be an address');
const seconds = z.union([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)]).transform(String);

const NONCE_BYTES = 32;
/** Enough for a smart wallet's signature with a deployment call (ERC-6492). */
const SIGNATURE_BYTES_MAX = 16 * 1_024;

function hexBytes(least: number, most: number, message: string) {
  return z
    .string()
    .max(2 * most + 2)
    .transform((text, { addIssue }): Hex => {
      const bytes = canonicalHex(text);
      if (bytes !== null && size(bytes) >= least && size(bytes) <= most) return bytes;
      addIssue(message);
      return z.NEVER;
    });
}

const schema = z.object({
  signature: hexBytes(1, SIGNATURE_BYTES_MAX, 'Must be a signature in hexadecimal'),
  authorization: z.object({
    from: address,
    to: address,
    value: z.string().regex(/^\d{1,30}$/, 'Must be base units, in digits'),
    validAfter: seconds,
    validBefore: seconds,
    nonce: hexBytes(NONCE_BYTES, NONCE_BYTES, 'Must be 32 bytes in hexadecimal'),
  }),
});

/** EIP-3009 TransferWithAuthorization and its signature. */
export interface Authorization {
  signature: Hex;
  authorization: TransferAuthorization;
}

/**
 * Parses an EVM payment, and normalizes its addresses, numbers and signature.
 *
 * @returns `isProven`: true if the payer's key signed exactly this payment. Otherwise a contract may accept the
 *   signature
 * @throws InvalidPayment
 */
export function readAuthorization(content: unknown, domain: TokenDomain): Authorization & { isProven: boolean } {
  const { authorization, signature } = readUnproven(content);
  const ofKey = canonicalKeySignature(signature, authorizationDigest(authorization, domain), authorization.from);
  return { signature: ofKey ?? signature, authorization, isProven: ofKey !== null };
}

/** Parsed authorizations by payment object. */
const readings = new WeakMap<object, Authorization>();

/** Reads an authorization without checking its signer and token. @throws InvalidPayment */
export function readUnproven(content: unknown): Authorization {
  if (typeof content !== 'object' || content === null) return readOnce(content);
  let reading = readings.get(content);
  if (reading === undefined) readings.set(content, (reading = readOnce(content)));
  return reading;
}

function readOnce(content: unknown): Authorization {
  if (typeof content === 'object' && content !== null && 'permit2Authorization' in content) {
    throw new InvalidPayment('unsupported_payload', 'Only EIP-3009 authorisations are accepted, not Permit2.');
  }
  const parsed = parse(schema, content, 'payload');
  const authorization = {
    from: getAddress(parsed.authorization.from),
    to: getAddress(parsed.authorization.to),
    value: BigInt(parsed.authorization.value).toString(),
    validAfter: BigInt(parsed.authorization.validAfter).toString(),
    validBefore: BigInt(parsed.authorization.validBefore).toString(),
    nonce: parsed.authorization.nonce,
  };
  // A missing signature recovers to the zero address.
  if (authorization.from === zeroAddress)
    throw new InvalidPayment('invalid_payer', 'The payer is the zero address, which cannot sign a payment.');
  return { signature: parsed.signature, authorization };
}
