import { constants, createHash, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Malformed } from '../malformed';
import { isSignedWithRsa, readRsaPublicKey } from './rsa';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const key = readRsaPublicKey(publicKey.export({ format: 'der', type: 'pkcs1' }));
const message = Buffer.from('a certificate');
const digest = (hash: 'sha256' | 'sha384') => createHash(hash).update(message).digest();

describe('a signature of RSA', () => {
  it.each(['sha256', 'sha384'] as const)(
    'by node:crypto with %s is taken, and with a touched byte anywhere refused',
    (hash) => {
      const signature = sign(hash, message, privateKey);
      expect(isSignedWithRsa(key, hash, digest(hash), signature)).toBe(true);
      for (let index = 0; index < signature.length; index += 5) {
        const touched = Buffer.from(signature);
        touched[index] = (touched[index] as number) ^ 1;
        expect(isSignedWithRsa(key, hash, digest(hash), touched)).toBe(false);
      }
    },
  );

  it('is refused with another hash, padding, key, length or message', () => {
    const signature = sign('sha256', message, privateKey);
    const pss = sign('sha256', message, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING });
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const wrong = [
      sign('sha384', message, privateKey),
      pss,
      sign('sha256', message, other),
      signature.subarray(1),
      Buffer.concat([Buffer.of(0), signature]),
      Buffer.alloc(256),
      Buffer.alloc(0),
      Buffer.alloc(256, 0xff),
    ];
    for (const each of wrong) expect(isSignedWithRsa(key, 'sha256', digest('sha256'), each)).toBe(false);
    expect(isSignedWithRsa(key, 'sha256', createHash('sha256').update('another').digest(), signature)).toBe(false);
  });
});

describe('a public RSA key', () => {
  it.each([
    ['is too short', { modulusLength: 1_024 }],
    ['has another exponent', { modulusLength: 2_048, publicExponent: 3 }],
  ])('that %s is refused', (_, options) => {
    expect(() =>
      readRsaPublicKey(generateKeyPairSync('rsa', options).publicKey.export({ format: 'der', type: 'pkcs1' })),
    ).toThrow(Malformed);
  });

  it('that is no key is refused', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('3003020101', 'hex'), Buffer.from('300602010102010100', 'hex')])
      expect(() => readRsaPublicKey(bytes)).toThrow(Malformed);
  });
});
