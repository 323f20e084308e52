import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Malformed } from '../malformed';
import { childrenOf, readDer } from './der';
import { isSignedWithRsaPss, readRsaPssParameters, readRsaPublicKey } from './rsa';
import { readSignatureAlgorithm } from './signature-algorithm';

const pairs = [2_048, 4_096].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
const keyOf = ({ publicKey }: (typeof pairs)[number]) =>
  readRsaPublicKey(publicKey.export({ format: 'der', type: 'pkcs1' }));
const message = Buffer.from('a certificate');
const pss = (pair: (typeof pairs)[number], hash = 'sha384', saltLength = 48) =>
  sign(hash, message, { key: pair.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
const touched = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

describe('a signature of RSA-PSS', () => {
  it.each(pairs.map((pair) => [keyOf(pair).modulus.length * 8, pair] as const))(
    'of %i bits by node:crypto is taken, and with a touched byte anywhere refused',
    async (_, pair) => {
      const signature = pss(pair);
      expect(await isSignedWithRsaPss(keyOf(pair), message, signature)).toBe(true);
      for (let at = 0; at < signature.length; at += 7)
        expect(await isSignedWithRsaPss(keyOf(pair), message, touched(signature, at))).toBe(false);
    },
  );

  it('is refused with another hash, salt, padding, key, length or message', async () => {
    const [pair, other] = pairs as [(typeof pairs)[number], (typeof pairs)[number]];
    const signature = pss(pair);
    const wrong = [
      pss(pair, 'sha256'),
      pss(pair, 'sha512'),
      pss(pair, 'sha384', 0),
      pss(pair, 'sha384', 32),
      pss(pair, 'sha384', 64),
      sign('sha384', message, pair.privateKey),
      pss(other),
      signature.subarray(1),
      Buffer.concat([Buffer.of(0), signature]),
      Buffer.concat([signature, Buffer.of(0)]),
      Buffer.alloc(256),
      Buffer.alloc(256, 0xff),
      Buffer.alloc(0),
    ];
    for (const each of wrong) expect(await isSignedWithRsaPss(keyOf(pair), message, each)).toBe(false);
    expect(await isSignedWithRsaPss(keyOf(pair), Buffer.from('another'), signature)).toBe(false);
  });
});

describe('the parameters of RSA-PSS', () => {
  const SHA384 = '300d06096086480165030402020500';
  const of = (hex: string) => childrenOf(readDer(Buffer.from(hex, 'hex')));
  const parameters = (content: string) =>
    of(`30${(content.length / 2 + 2).toString(16)}30${(content.length / 2).toString(16)}${content}`);
  const content = (hash = SHA384, mask = SHA384, salt = '30') =>
    `a00f${hash}a11c301a06092a864886f70d010108${mask}a2030201${salt}`;

  it('are taken with and without the trailer, whose only value is 1', () => {
    expect(readRsaPssParameters(parameters(content()))).toBe('rsa-pss-sha384');
    expect(readRsaPssParameters(parameters(`${content()}a303020101`))).toBe('rsa-pss-sha384');
  });

  it('are refused with another hash, mask, salt or trailer, and where there are none', () => {
    const SHA256 = SHA384.replace('0402020500', '0402010500');
    for (const wrong of [
      content(SHA256),
      content(SHA384, SHA256),
      content(SHA384, SHA384, '20'),
      `${content()}a303020102`,
      '',
    ])
      expect(() => readRsaPssParameters(parameters(wrong))).toThrow(Malformed);
    expect(() => readRsaPssParameters([])).toThrow(Malformed);
    expect(() => readSignatureAlgorithm(readDer(Buffer.from('300b06092a864886f70d01010a', 'hex')))).toThrow(Malformed);
  });
});
