import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { Secret } from '../../config/secret';
import { cdpToken } from './remote-facilitator';

const url = new URL('https://api.cdp.coinbase.com/platform/v2/x402/settle');

it('signs a token for one request with an Ed25519 key, good for two minutes', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const secret = Buffer.concat([seed, publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]).toString(
    'base64',
  );
  const { payload, protectedHeader } = await jwtVerify(
    await cdpToken({ id: 'key', secret: new Secret(secret), method: 'POST', url }),
    publicKey,
  );
  expect(protectedHeader).toMatchObject({ alg: 'EdDSA', kid: 'key', typ: 'JWT' });
  expect(payload).toMatchObject({
    sub: 'key',
    iss: 'cdp',
    uris: ['POST api.cdp.coinbase.com/platform/v2/x402/settle'],
  });
  expect(Number(payload.exp) - Number(payload.iat)).toBe(120);
});

it('signs with an EC key in a PEM', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const { protectedHeader } = await jwtVerify(
    await cdpToken({ id: 'key', secret: new Secret(pem), method: 'POST', url }),
    publicKey,
  );
  expect(protectedHeader.alg).toBe('ES256');
});

it('refuses another secret, and does not show it', async () => {
  const failure = cdpToken({ id: 'key', secret: new Secret('not a key'), method: 'POST', url });
  await expect(failure).rejects.toThrow(/64 bytes/);
  await expect(failure).rejects.not.toThrow(/not a key/);
});
