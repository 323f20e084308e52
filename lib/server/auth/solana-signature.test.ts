import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isSolanaSignature } from './solana-signature';

const MESSAGE = 'Prove it, Ångström.';

/** Signs with Node's ed25519. */
function signed() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
  return { address, signature: sign(null, Buffer.from(MESSAGE), privateKey) };
}

describe("a Solana wallet's signature", () => {
  it('holds in base58 and in Base64, either alphabet, padded or not', () => {
    for (let i = 0; i < 20; i++) {
      const { address, signature } = signed();
      const base64 = signature.toString('base64');
      for (const text of [base58.encode(signature), base64, base64.replace(/=+$/, ''), signature.toString('base64url')])
        expect(isSolanaSignature(address, MESSAGE, text)).toBe(true);
    }
  });

  it('does not hold for another message, of another wallet, changed, cut or prolonged', () => {
    const { address, signature } = signed();
    const text = base58.encode(signature);
    expect(isSolanaSignature(address, `${MESSAGE} `, text)).toBe(false);
    expect(isSolanaSignature(signed().address, MESSAGE, text)).toBe(false);
    for (const index of [0, 31, 32, 63]) {
      const changed = Uint8Array.from(signature);
      changed[index] = (changed[index] as number) ^ 1;
      expect(isSolanaSignature(address, MESSAGE, base58.encode(changed))).toBe(false);
    }
    expect(isSolanaSignature(address, MESSAGE, base58.encode(signature.subarray(0, 63)))).toBe(false);
    expect(isSolanaSignature(address, MESSAGE, base58.encode(Buffer.concat([signature, Buffer.alloc(1)])))).toBe(false);
    expect(isSolanaSignature(address, MESSAGE, signature.toString('hex'))).toBe(false);
    expect(isSolanaSignature(address, MESSAGE, `0x${signature.toString('hex')}`)).toBe(false);
    expect(isSolanaSignature(address, MESSAGE, '')).toBe(false);
  });

  it('does not hold with s beyond the order of the group, which would be a second signature of the same', () => {
    const { address, signature } = signed();
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + ed25519.Point.CURVE().n;
    const second = Buffer.concat([
      signature.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(),
    ]);
    expect(isSolanaSignature(address, MESSAGE, base58.encode(second))).toBe(false);
  });

  it('does not hold for a key of small order, under which anything is signed', () => {
    const signature = base58.encode(Buffer.concat([Buffer.from('01'.padEnd(64, '0'), 'hex'), Buffer.alloc(32)]));
    for (const key of [
      '01'.padEnd(64, '0'),
      '00'.repeat(32),
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    ]) {
      expect(isSolanaSignature(base58.encode(Buffer.from(key, 'hex')), MESSAGE, signature)).toBe(false);
    }
  });

  it('an invalid address has no signature', () => {
    const { signature } = signed();
    for (const address of [
      '',
      '0OIl',
      '1'.repeat(44),
      base58.encode(Buffer.alloc(31, 7)),
      '0x00000000000000000000000000000000000a11ce',
    ])
      expect(isSolanaSignature(address, MESSAGE, base58.encode(signature))).toBe(false);
  });
});
