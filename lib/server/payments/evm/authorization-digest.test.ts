import { randomBytes, randomInt } from 'node:crypto';
import { getAddress, type Hex, hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { authorizationDigest, type TokenDomain } from './authorization';

const FIELDS = [
  'address from',
  'address to',
  'uint256 value',
  'uint256 validAfter',
  'uint256 validBefore',
  'bytes32 nonce',
].map((field) => {
  const [type = '', name = ''] = field.split(' ');
  return { type, name };
});

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString('hex')}`;
const digits = (most: number) =>
  BigInt(Array.from({ length: 1 + randomInt(most) }, () => randomInt(10)).join('')).toString();

describe('what is signed of an authorization', () => {
  it('is what EIP-712 says, of any domain and any authorization', () => {
    const domains = Array.from({ length: 5 }, (_, index): TokenDomain => ({
      name: ['USD Coin', 'USDC', '', 'Ä €', 'x'.repeat(100)][index] as string,
      version: String(index),
      chainId: [1, 8453, 84532, 0, 2 ** 40][index] as number,
      verifyingContract: getAddress(hex(20)),
    }));
    for (let round = 0; round < 200; round++) {
      const authorization = {
        from: getAddress(hex(20)),
        to: getAddress(hex(20)),
        value: digits(30),
        validAfter: digits(20),
        validBefore: digits(20),
        nonce: hex(32),
      };
      const { value, validAfter, validBefore, ...rest } = authorization;
      const domain = domains[round % domains.length] as TokenDomain;
      const message = {
        ...rest,
        value: BigInt(value),
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
      };
      expect(authorizationDigest(authorization, domain)).toBe(
        hashTypedData({
          domain: { ...domain },
          types: { TransferWithAuthorization: FIELDS },
          primaryType: 'TransferWithAuthorization',
          message,
        }),
      );
    }
  });
});
