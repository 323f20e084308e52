import { createHmac, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, EncryptJWT, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import { Secret } from '../../config/secret';
import { MINT_TOKEN_LIFETIME_S, MintTokens } from './mint-tokens';

const SECRET = 'the secret of an operator, of the tests';
const NOW = Date.UTC(2026, 10, 21, 12, 0, 0, 500);
const seconds = Math.floor(NOW / 1000);
const tokens = new MintTokens(new Secret(SECRET));
/** The service's signing key, derived here to sign tokens that the service would never sign. */
const key = new Uint8Array(hkdfSync('sha256', SECRET, '', 'turnpike mint token HS256', 32));
const CLAIMS = { iss: 'turnpike', aud: 'turnpike:mint-api-key', iat: seconds, exp: seconds + 900, jti: 'j' };

const sign = (claims: Record<string, unknown>, header: Record<string, unknown> = {}, by: Uint8Array = key): string => {
  const [head, body] = [{ alg: 'HS256', typ: 'JWT', ...header }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${head}.${body}.${createHmac('sha256', by).update(`${head}.${body}`).digest('base64url')}`;
};

async function verdict(token: string, now = NOW, by = tokens): Promise<string> {
  try {
    await by.check(token, now);
    return 'holds';
  } catch (error) {
    if (isApiError(error)) return error.message;
    throw error;
  }
}

describe('a validation token', () => {
  it('is a signed JWT with issuer, audience, id, and an end 15 minutes after its issue', async () => {
    const token = await tokens.issue(NOW);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      iss: 'turnpike',
      aud: 'turnpike:mint-api-key',
      iat: seconds,
      exp: seconds + 900,
      jti: expect.any(String),
    });
    expect(MINT_TOKEN_LIFETIME_S).toBe(900);
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('has the name of the gateway, and is taken by gateways that were started before a change of the name', async () => {
    const renamed = new MintTokens(new Secret(SECRET), null, 'acme');
    const token = await renamed.issue(NOW);
    expect(decodeJwt(token)).toMatchObject({ iss: 'acme', aud: 'acme:mint-api-key' });
    expect([await verdict(token), await verdict(await tokens.issue(NOW), NOW, renamed)]).toEqual(['holds', 'holds']);
    expect(await verdict(token, NOW + 900_000)).toBe('JWT has expired.');
  });

  it('is another one each time', async () => {
    expect(await tokens.issue(NOW)).not.toBe(await tokens.issue(NOW));
  });

  it('holds for 15 minutes, more than once, and not a second longer', async () => {
    const token = await tokens.issue(NOW);
    expect(await verdict(token)).toBe('holds');
    expect(await verdict(token)).toBe('holds');
    expect(await verdict(token, NOW + 899_000)).toBe('holds');
    expect(await verdict(token, NOW + 900_000)).toBe('JWT has expired.');
    expect(await verdict(token, NOW + 86_400_000)).toBe('JWT has expired.');
  });

  it('is taken by another gateway with the same secret, and by none with another', async () => {
    const token = await tokens.issue(NOW);
    expect(await verdict(token, NOW, new MintTokens(new Secret(SECRET)))).toBe('holds');
    expect(await verdict(token, NOW, new MintTokens(new Secret(`${SECRET}.`)))).toBe('JWT signature is invalid.');
  });

  it('holds in its own process alone where there is no secret', async () => {
    const [one, two] = [new MintTokens(null), new MintTokens(null)];
    const token = await one.issue(NOW);
    expect(await verdict(token, NOW, one)).toBe('holds');
    expect(await verdict(token, NOW, two)).toBe('JWT signature is invalid.');
  });
});

describe('a JWT that this service did not sign has an invalid signature', () => {
  it('one without a signature (alg none)', async () => {
    const unsecured = new UnsecuredJWT(CLAIMS).encode();
    expect(await verdict(unsecured)).toBe('JWT signature is invalid.');
    const [, body] = (await tokens.issue(NOW)).split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      const head = Buffer.from(JSON.stringify({ alg })).toString('base64url');
      expect(await verdict(`${head}.${body}.`)).toMatch(/^JWT (signature is invalid|is malformed)\.$/);
    }
  });

  it.each([
    ['the secret itself', Buffer.from(SECRET)],
    ['no bytes', Buffer.alloc(1)],
    ['a key of another purpose', Buffer.from(hkdfSync('sha256', SECRET, '', 'another purpose', 32))],
  ])('one signed with %s', async (_what, other) => {
    expect(await verdict(sign(CLAIMS, {}, other))).toBe('JWT signature is invalid.');
  });

  it('one of another algorithm, symmetric or not', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    expect(await verdict(await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey))).toBe(
      'JWT signature is invalid.',
    );
    expect(await verdict(await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS512' }).sign(new Uint8Array(64)))).toBe(
      'JWT signature is invalid.',
    );
  });

  it('one that brings its own key', async () => {
    const jwk = { kty: 'oct', k: Buffer.from('mine').toString('base64url') };
    expect(
      await verdict(sign(CLAIMS, { jwk, kid: '../../dev/null', jku: 'http://127.0.0.1/' }, Buffer.from('mine'))),
    ).toBe('JWT signature is invalid.');
  });

  it('one whose payload, header or signature was changed', async () => {
    const [head, body, signature] = (await tokens.issue(NOW)).split('.') as [string, string, string];
    const later = Buffer.from(JSON.stringify({ ...CLAIMS, exp: seconds + 1e9 })).toString('base64url');
    expect(await verdict(`${head}.${later}.${signature}`)).toBe('JWT signature is invalid.');
    const other = Buffer.from('{"alg":"HS256"}').toString('base64url');
    expect(await verdict(`${other}.${body}.${signature}`)).toBe('JWT signature is invalid.');
    expect(await verdict(`${head}.${body}.${'A'.repeat(43)}`)).toBe('JWT signature is invalid.');
    expect(await verdict(`${head}.${body}.`)).toBe('JWT signature is invalid.');
  });

  it('one with a critical extension, though it be signed: nobody here understands any', async () => {
    expect(await verdict(sign(CLAIMS, { crit: ['exp'], exp: 1 }, Buffer.from('x')))).not.toBe('holds');
    expect(await verdict(sign(CLAIMS, { crit: ['http://example/x'], 'http://example/x': true }))).toBe(
      'JWT signature is invalid.',
    );
  });
});

describe('a token that this service signed for something else has invalid claims', () => {
  it.each([
    ['another issuer', { ...CLAIMS, iss: 'turnpike.example' }],
    ['the issuer of another audience', { ...CLAIMS, iss: 'acme' }],
    ['no issuer', { ...CLAIMS, iss: undefined }],
    ['an issuer that is a list', { ...CLAIMS, iss: ['turnpike'] }],
    ['another audience', { ...CLAIMS, aud: 'turnpike' }],
    ['no audience', { ...CLAIMS, aud: undefined }],
    ['no expiry', { ...CLAIMS, exp: undefined }],
    ['an expiry that is a text', { ...CLAIMS, exp: String(CLAIMS.exp) }],
    ['no time of issue', { ...CLAIMS, iat: undefined }],
    ['no id', { ...CLAIMS, jti: undefined }],
    ['a start in the future', { ...CLAIMS, nbf: seconds + 60 }],
  ])('%s', async (_what, claims) => {
    expect(await verdict(sign(CLAIMS))).toBe('holds');
    expect(await verdict(sign(claims))).toBe('JWT claims are invalid.');
  });

  it('also where it has expired as well', async () => {
    expect(await verdict(sign({ ...CLAIMS, aud: 'x', exp: 1 }))).toBe('JWT claims are invalid.');
  });
});

describe('what is no JWT is malformed', () => {
  it.each([
    '',
    ' ',
    'token',
    '.',
    '..',
    '...',
    'a.b',
    'a.b.c',
    'a.b.c.d',
    '{}',
    'null',
    '\u0000',
    'é.é.é',
    `${'a'.repeat(700)}.${'b'.repeat(700)}.${'c'.repeat(700)}`,
  ])('%j', async (text) => {
    expect(await verdict(text)).toBe('JWT is malformed.');
  });

  it('a huge one, before anything is decoded', async () => {
    expect(await verdict(sign({ ...CLAIMS, pad: 'x'.repeat(1_000_000) }))).toBe('JWT is malformed.');
  });

  it('one with a sound signature over what is no object', async () => {
    const head = Buffer.from('{"alg":"HS256"}').toString('base64url');
    for (const payload of ['[]', 'null', '"x"', '{', '']) {
      const body = Buffer.from(payload).toString('base64url');
      const signature = createHmac('sha256', key).update(`${head}.${body}`).digest('base64url');
      expect(await verdict(`${head}.${body}.${signature}`)).toBe('JWT is malformed.');
    }
  });

  it('an encrypted JWT', async () => {
    const encrypted = await new EncryptJWT(CLAIMS).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(key);
    expect(await verdict(encrypted)).toBe('JWT is malformed.');
  });

  it.each(['=', ' ', '\n'])('a token of ours that was changed at its end: %j', async (end) => {
    const token = await tokens.issue(NOW);
    expect(await verdict(token + end)).toBe('JWT is malformed.');
    expect(await verdict(end + token)).toBe('JWT is malformed.');
  });
});

describe('after the secret was changed', () => {
  const previous = new Secret(SECRET);
  const next = new Secret('another secret of the operator, of the tests');

  it('what was signed with the previous one holds until it expires, and nothing new is signed with it', async () => {
    const rotated = new MintTokens(next, previous);
    const old = await tokens.issue(NOW);
    expect(await verdict(old, NOW, rotated)).toBe('holds');
    expect(await verdict(old, NOW + 901_000, rotated)).toBe('JWT has expired.');
    expect(await verdict(await rotated.issue(NOW), NOW, tokens)).toBe('JWT signature is invalid.');
    expect(await verdict(await rotated.issue(NOW), NOW, new MintTokens(next))).toBe('holds');
  });

  it('nothing of it holds where the previous one is not given, and nothing of a third secret ever', async () => {
    expect(await verdict(await tokens.issue(NOW), NOW, new MintTokens(next))).toBe('JWT signature is invalid.');
    const third = new MintTokens(new Secret('a third secret that was never of this gateway'));
    expect(await verdict(await third.issue(NOW), NOW, new MintTokens(next, previous))).toBe(
      'JWT signature is invalid.',
    );
  });
});
