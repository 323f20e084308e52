import { getAddress, type Hex, hashTypedData, zeroAddress } from 'viem';
import { z } from 'zod';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';
import { TRANSFER_AUTHORIZATION_TYPES } from '@/lib/protocol/x402/transfer-authorization';
import { canonicalKeySignature } from './payer-signature';

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'Must be an address');
const seconds = z.union([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)]).transform(String);

/** A smart wallet's signature may hold the call that deploys it (ERC-6492). */
const SIGNATURE_LENGTH_MAX = 32 * 1024;

const schema = z.object({
  signature: z.string().max(SIGNATURE_LENGTH_MAX).regex(/^0x(?:[0-9a-fA-F]{2}){1,}$/, 'Must be 0x and hexadecimal digits'),
  authorization: z.object({
    from: address,
    to: address,
    value: z.string().regex(/^\d{1,30}$/, 'Must be base units, in digits'),
    validAfter: seconds,
    validBefore: seconds,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'Must be 32 bytes in hexadecimal'),
  }),
});

/** An EIP-3009 TransferWithAuthorization and its signature. */
export interface Authorization {
  signature: Hex;
  authorization: { from: `0x${string}`; to: `0x${string}`; value: string; validAfter: string; validBefore: string; nonce: Hex };
}

/** The EIP-712 domain of a token. */
export interface TokenDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: `0x${string}`;
}

/**
 * Reads what an EVM payment carries, in its one form: however addresses, numbers and the signature of a key were
 * written, the same authorization reads the same.
 * @returns also whether the payer's own key signed exactly this; if not, a contract may still take the signature.
 * @throws InvalidPayment
 */
export function readAuthorization(content: unknown, domain: TokenDomain): Authorization & { isProven: boolean } {
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
    nonce: parsed.authorization.nonce.toLowerCase() as Hex,
  };
  // What a node recovers from no signature at all.
  if (authorization.from === zeroAddress) throw new InvalidPayment('invalid_payer', 'The zero address has no key: nobody can pay from it.');
  const signature = parsed.signature.toLowerCase() as Hex;
  const ofKey = canonicalKeySignature(signature, digestOf(authorization, domain), authorization.from);
  return { signature: ofKey ?? signature, authorization, isProven: ofKey !== null };
}

function digestOf({ value, validAfter, validBefore, ...rest }: Authorization['authorization'], domain: TokenDomain): Hex {
  const message = { ...rest, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) };
  return hashTypedData({ domain, types: TRANSFER_AUTHORIZATION_TYPES, primaryType: 'TransferWithAuthorization', message });
}
