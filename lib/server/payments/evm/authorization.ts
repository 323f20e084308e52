import { getAddress } from 'viem';
import { z } from 'zod';
import { InvalidPayment, parse } from '@/lib/protocol/x402/presented-payment';

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
  signature: `0x${string}`;
  authorization: { from: `0x${string}`; to: `0x${string}`; value: string; validAfter: string; validBefore: string; nonce: `0x${string}` };
}

/** Reads what an EVM payment carries. @throws InvalidPayment */
export function readAuthorization(content: unknown): Authorization {
  if (typeof content === 'object' && content !== null && 'permit2Authorization' in content) {
    throw new InvalidPayment('unsupported_payload', 'Only EIP-3009 authorisations are accepted, not Permit2.');
  }
  const { signature, authorization } = parse(schema, content, 'payload');
  return {
    signature: signature as `0x${string}`,
    authorization: {
      ...authorization,
      from: getAddress(authorization.from),
      to: getAddress(authorization.to),
      value: BigInt(authorization.value).toString(),
      nonce: authorization.nonce.toLowerCase() as `0x${string}`,
    },
  };
}
