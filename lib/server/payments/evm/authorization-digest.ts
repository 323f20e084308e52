import { type Hex, hashDomain, keccak256, stringToHex } from 'viem';
import { TRANSFER_AUTHORIZATION_TYPES } from '@/lib/protocol/x402/transfer-authorization';

export interface TokenDomain {
  name: string;
  version: string;
  chainId: number;
  verifyingContract: `0x${string}`;
}

/** EIP-3009's TransferWithAuthorization, with decimal numbers. */
export interface TransferAuthorization {
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

/** Returns the EIP-712 hash that the payer signs. Caches the hashes of a token's constant parts. */
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
