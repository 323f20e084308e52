import fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type MintWish, termsDigest } from '@/lib/protocol/api-keys/terms-digest';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { mintByWallet } from './mint-by-wallet';

const ORIGIN = 'https://gateway.example';
const WISH: MintWish = { apiKeyType: 'INFERENCE', consumptionLimit: { usd: 1 }, limitPeriod: 'EPOCH' };
const NOW_S = Math.floor(Date.now() / 1_000);
const HEADER = { alg: 'HS256', typ: 'JWT' };
const CLAIMS = {
  iss: 'turnpike',
  aud: 'turnpike:mint-api-key',
  iat: NOW_S,
  exp: NOW_S + 900,
  jti: 'j',
  origin: ORIGIN,
  termsSha256: termsDigest(WISH),
};

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const jwt = (claims: object, header: object = HEADER): string => `${part(header)}.${part(claims)}.${'s'.repeat(43)}`;

/**
 * Mints at a gateway that returns this token.
 *
 * @returns the texts that the wallet signed, and the outcome
 */
async function mintAt(token: unknown, baseUrl = ORIGIN): Promise<{ signed: string[]; outcome: unknown }> {
  const signed: string[] = [];
  const wallet = {
    address: () => Promise.resolve('0x'),
    signText: (text: string) => (signed.push(text), Promise.resolve('0x')),
  };
  const answer: typeof fetch = (_url, init) =>
    Promise.resolve(
      Response.json(init?.method === 'GET' ? { data: { token } } : { data: { apiKey: 'tpk_x', id: '7' } }),
    );
  const outcome: unknown = await mintByWallet({ baseUrl, fetch: answer }, wallet, WISH).catch(
    (error: unknown) => error,
  );
  return { signed, outcome };
}

describe('a wallet that mints signs', () => {
  it('a token of this purpose, for the origin and the terms that were asked', async () => {
    const token = await new SignJWT(CLAIMS).setProtectedHeader(HEADER).sign(new Uint8Array(32));
    expect(await mintAt(token)).toEqual({ signed: [token], outcome: { apiKey: 'tpk_x', id: '7' } });
    expect((await mintAt(token, `${ORIGIN}:443/`)).signed).toEqual([token]);
  });

  it('a token of a gateway under another name', async () => {
    const token = jwt({ ...CLAIMS, iss: 'acme-rpc', aud: 'acme-rpc:mint-api-key' });
    expect((await mintAt(token)).signed).toEqual([token]);
  });

  it.each<[string, unknown]>([
    [
      'a sign-in to another service',
      buildSignIn({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', uri: 'https://other.example' }).text,
    ],
    ['a sign-in with dots, as of a JWT', 'other.example.wants'],
    ['a token with a text after it', `${jwt(CLAIMS)}\n\nother.example wants you to sign in`],
    ['a token with a text before it', `Pay everything: ${jwt(CLAIMS)}`],
    ['a token with padding', `${jwt(CLAIMS)}=`],
    ['a token with letters of another script', `${jwt(CLAIMS)}а`],
    ['two tokens', `${jwt(CLAIMS)}.${jwt(CLAIMS)}`],
    ['an unsigned token', jwt(CLAIMS).replace(/[^.]+$/, '')],
    ['a hash', `0x${'ab'.repeat(32)}`],
    ['no text', { toString: () => jwt(CLAIMS) }],
    ['nothing', undefined],
    ['a number', 7],
    ['a list with a token', [jwt(CLAIMS)]],
    ['a token of 3,000 characters', jwt({ ...CLAIMS, pad: 'x'.repeat(3_000) })],
    ['a token that another gateway issued', jwt({ ...CLAIMS, origin: 'https://honest.example' })],
    ['a token for a subdomain', jwt({ ...CLAIMS, origin: 'https://a.gateway.example' })],
    ['a token for plain HTTP', jwt({ ...CLAIMS, origin: 'http://gateway.example' })],
    ['a token with a list of origins', jwt({ ...CLAIMS, origin: [ORIGIN] })],
    ['a token without an origin', jwt({ ...CLAIMS, origin: undefined })],
    ['a token for other terms', jwt({ ...CLAIMS, termsSha256: termsDigest({ apiKeyType: 'ADMIN' }) })],
    ['a token for any terms', jwt({ ...CLAIMS, termsSha256: undefined })],
    ['a token of another purpose', jwt({ ...CLAIMS, aud: 'turnpike' })],
    ['a token of several purposes', jwt({ ...CLAIMS, aud: ['turnpike:mint-api-key', 'other'] })],
    ['a token of another issuer', jwt({ ...CLAIMS, iss: 'other' })],
    ['a token whose issuer is no name', jwt({ ...CLAIMS, iss: 'a b', aud: 'a b:mint-api-key' })],
    ['a token for the purpose alone', jwt({ ...CLAIMS, iss: '', aud: ':mint-api-key' })],
    ['an expired token', jwt({ ...CLAIMS, exp: NOW_S - 1 })],
    ['a token of a day', jwt({ ...CLAIMS, exp: NOW_S + 86_400 })],
    ['a token that ends at a text', jwt({ ...CLAIMS, exp: String(CLAIMS.exp) })],
    ['a token without an end', jwt({ ...CLAIMS, exp: undefined })],
    ['a header of another type', jwt(CLAIMS, { ...HEADER, typ: 'at+jwt' })],
    ['a header that is a list', `${part('[]')}.${part(CLAIMS)}.s`],
    ['claims that are no JSON', `${part(HEADER)}.${part('sign in')}.s`],
    ['claims that are no UTF-8', `${part(HEADER)}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.s`],
  ])('never %s', async (_what, token) => {
    const { signed, outcome } = await mintAt(token);
    expect(signed).toEqual([]);
    expect(outcome).toBeInstanceOf(Error);
  });

  it('nothing that a gateway makes up', async () => {
    const member = fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.string());
    const claims = fc
      .record(
        {
          iss: member,
          aud: member,
          exp: member.filter((exp) => typeof exp !== 'number'),
          origin: member,
          termsSha256: member,
        },
        { requiredKeys: [] },
      )
      .filter((made) => Object.keys(made).length > 0);
    const lie = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
      fc.tuple(fc.jsonValue(), fc.jsonValue()).map(([header, body]) => `${part(header)}.${part(body)}.s`),
      claims.map((made) => jwt({ ...CLAIMS, ...made })),
    );
    await fc.assert(
      fc.asyncProperty(lie, async (token) => {
        expect((await mintAt(token)).signed).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

it('asks for the token with the digest of the terms, and follows no redirect', async () => {
  const asked: (readonly [url: string, redirect: RequestRedirect | undefined])[] = [];
  const answer: typeof fetch = (url, init) => (
    asked.push([String(url), init?.redirect]),
    Promise.reject(new TypeError('unexpected redirect'))
  );
  await expect(
    mintByWallet(
      { baseUrl: ORIGIN, fetch: answer },
      { address: () => Promise.resolve('0x'), signText: () => Promise.reject(new Error('It was asked to sign.')) },
      WISH,
    ),
  ).rejects.toMatchObject({ name: 'UnreachableError' });
  expect(asked).toEqual([[`${ORIGIN}/api/v1/api_keys/generate_web3_key?termsSha256=${termsDigest(WISH)}`, 'error']]);
});
