import { canonicalHex } from '@/lib/protocol/canonical-hex';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { TRANSFER_AUTHORIZATION_TYPES } from '@/lib/protocol/x402/transfer-authorization';
import { getAddress, hashDomain, type Hex, hexToBytes, keccak256, size, stringToHex, zeroAddress } from 'viem';
import { z } from 'zod';
import { evmKeyVerdict } from '../../auth/verify-signature';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Must be an address');
const seconds = z.union([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)]).transform(String);

const NONCE_BYTES = 32;
/** Maximum bytes of a signature. They are enough for a smart wallet's signature with a deployment call (ERC-6492). */
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

/** An EIP-3009 TransferWithAuthorization and its signature. */
export interface Authorization {
  signature: Hex;
  authorization: TransferAuthorization;
}

/**
 * Parses an EVM payment, and normalizes its addresses, numbers and signature.
 *
 * @returns payment. `isProven` is true if the payer's key signed exactly this payment. If it is false, a contract
 * may still accept the signature
 * @throws InvalidPayment
 */
export function readAuthorization(content: unknown, domain: TokenDomain): Authorization & { isProven: boolean } {
  const { authorization, signature } = readUnproven(content);
  const ofKey = canonicalKeySignature(signature, authorizationDigest(authorization, domain), authorization.from);
  return { signature: ofKey ?? signature, authorization, isProven: ofKey !== null };
}

const readings = new WeakMap<object, Authorization>();

/** Parses an authorization without checking its signer or token. @throws InvalidPayment */
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
  // Recovering the signer of a missing signature returns the zero address.
  if (authorization.from === zeroAddress)
    throw new InvalidPayment('invalid_payer', 'The payer is the zero address, which cannot sign a payment.');
  return { signature: parsed.signature, authorization };
}

export interface TokenDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: `0x${string}`;
}

/** EIP-3009's TransferWithAuthorization, whose numbers are decimal text. */
interface TransferAuthorization {
  from: `0x${string}`;
  to: `0x${string}`;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
}

const SIGNED_FIELDS = TRANSFER_AUTHORIZATION_TYPES.TransferWithAuthorization.map(({ type, name }) => `${type} ${name}`);
const TYPE_HASH = keccak256(stringToHex(`TransferWithAuthorization(${SIGNED_FIELDS.join(',')})`));
const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;

const separators = new WeakMap<TokenDomain, Hex>();

/**
 * Returns the EIP-712 hash that the payer signs. Caches the hashes of the parts that are the same for all payments in a
 * token.
 */
export function authorizationDigest(
  { from, to, value, validAfter, validBefore, nonce }: TransferAuthorization,
  domain: TokenDomain,
): Hex {
  const words = [
    TYPE_HASH,
    from,
    to,
    ...[value, validAfter, validBefore].map((number) => BigInt(number).toString(16)),
    nonce,
  ].map(word);
  return keccak256(`0x1901${word(separatorOf(domain))}${word(keccak256(`0x${words.join('')}`))}`);
}

function separatorOf(domain: TokenDomain): Hex {
  let separator = separators.get(domain);
  if (separator === undefined)
    separators.set(
      domain,
      (separator = hashDomain({
        domain: { ...domain, chainId: BigInt(domain.chainId) },
        types: { EIP712Domain: DOMAIN_FIELDS },
      })),
    );
  return separator;
}

function word(hex: string): string {
  return hex.replace(/^0x/, '').padStart(64, '0');
}

const COMPACT_BYTES = 64;
const PLAIN_BYTES = 65;
const WORD_DIGITS = 64;
/** Bit of a compact signature (EIP-2098) that selects the key to recover: the highest bit of its second half. */
const RECOVERY_BIT = 1n << 255n;

/**
 * Converts a signature by the payer's key to the form that tokens accept: r, s and a v of 27 or 28. Also reads the
 * compact form (EIP-2098) and a v of 0 or 1.
 *
 * @param signature signature in lower case
 * @returns null if the payer's key did not make the signature. A contract may still accept it (EIP-1271, ERC-6492)
 * @throws InvalidPayment if s is in the upper half of the curve's order, because each such signature has an equivalent
 * in the lower half (EIP-2)
 */
function canonicalKeySignature(signature: Hex, digest: Hex, payer: `0x${string}`): Hex | null {
  const canonical = plainSignature(signature);
  const verdict = evmKeyVerdict(payer, hexToBytes(digest), canonical);
  if (verdict === 'mirrored')
    throw new InvalidPayment(
      'signature_malleable',
      'The signature is not canonical: its s is in the upper half of the curve. Sign again with a wallet that follows EIP-2.',
    );
  return verdict === 'signed' ? canonical : null;
}

/** Reduces all equivalent forms of a key's signature to one form. Returns other signatures unchanged. */
export function plainSignature(signature: Hex): Hex {
  if (size(signature) === COMPACT_BYTES) return expanded(signature);
  return size(signature) === PLAIN_BYTES ? withTokensV(signature) : signature;
}

function expanded(compact: Hex): Hex {
  const [r, yAndS] = [compact.slice(2, 2 + WORD_DIGITS), BigInt(`0x${compact.slice(2 + WORD_DIGITS)}`)];
  const s = (yAndS & ~RECOVERY_BIT).toString(16).padStart(WORD_DIGITS, '0');
  return `0x${r}${s}${yAndS & RECOVERY_BIT ? '1c' : '1b'}`;
}

function withTokensV(signature: Hex): Hex {
  return signature.replace(/00$/, '1b').replace(/01$/, '1c') as Hex;
}
