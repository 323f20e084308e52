import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ERRORS, isApiError } from '@/lib/protocol/errors';
import { discoverySchema } from '@/lib/protocol/error-bodies';
import { buildSignIn } from '@/lib/protocol/sign-in/build-sign-in';
import { SIGN_IN_PAYLOAD_SCHEMA } from '@/lib/protocol/sign-in/challenge';
import type { Call } from '../http/call';
import { RequestRecord } from '../http/request-record';
import { NO_RAILS, type Rails } from '../payments/rail-terms';
import { createAccount } from '../db/accounts';
import { hashApiKey, insertApiKey, newApiKeySecret } from '../db/api-keys';
import { ensureWalletAccount } from '../db/wallets';
import { SqliteBooks } from '@/test/sqlite-books';
import { ContractChecks } from './contract-checks';
import { AddressLimiter } from '../http/rate-limit/address-limiter';
import { CallerLimiter } from '../http/rate-limit/caller-limiter';
import { Auth } from './auth';
import { PaymentChallenge } from './payment-challenge';
import { signInRules } from './sign-in-rules';
import { SignInVerifier } from './sign-in-verifier';
import { PersonalSignatures } from './verify-signature';

/** Fields of the body except those that the reply adds. */
const bodyFields = discoverySchema.omit({ code: true, hint: true });

const call = (headers: Record<string, string>) => {
  const header = (name: string): string | null => headers[name] ?? null;
  return {
    path: '/api/v1/crypto/rpc/base-mainnet',
    query: new URLSearchParams(),
    header,
    record: new RequestRecord({ header }),
    readBody: () => Promise.reject(new Error('The body was looked at.')),
  } as unknown as Call;
};

const RAIL = {
  network: 'eip155:8453',
  name: 'base',
  rpcNetwork: 'base-mainnet',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  symbol: 'USDC',
  decimals: 6,
  payTo: '0x00000000000000000000000000000000000a11ce',
} as const;

async function gateway(
  publicUrls = ['https://gate.example'],
  perCallMinimumNanoUsd: number | null = 10_000_000,
  offer: Rails = NO_RAILS,
) {
  const books = await SqliteBooks.open();
  const make = async (settings: { expiresAt?: number } = {}) => {
    const accountId = await createAccount(books.store.db, { label: '', tier: 'paid' });
    const secret = newApiKeySecret();
    const id = await insertApiKey(books.store.db, secret, {
      accountId,
      type: 'ADMIN',
      description: '',
      expiresAt: settings.expiresAt ?? null,
      limitPeriod: 'LIFETIME',
      limitUsdNano: null,
      limitDiemNano: null,
    });
    return { accountId, secret, id };
  };
  const origin = publicUrls[0] ?? 'http://localhost:3000';
  const rules = signInRules({ publicUrls, port: 3000, chainIds: [] }, origin);
  const checks = new ContractChecks({ perMinute: 10, hasAccount: () => Promise.resolve(false), now: Date.now });
  const signatures = new PersonalSignatures(() => null, checks);
  const challenge = new PaymentChallenge({
    rules,
    offer,
    perCallMinimumNanoUsd,
    soldAt: () => null,
    now: Date.now,
  });
  const auth = new Auth({
    callers: books.meter,
    signIn: new SignInVerifier(rules, signatures),
    challenge,
    callerLimiter: new CallerLimiter(1_000),
    strangerLimiter: new AddressLimiter(1_000),
    now: Date.now,
  });
  return {
    books,
    make,
    identify: async (headers: Record<string, string>) => auth.identify(call(headers)),
    identifyFree: (headers: Record<string, string>) =>
      auth.identifyWithBody(call(headers), () => Promise.resolve(null)),
    identifyCredential: (headers: Record<string, string>) => auth.identifyCredential(call(headers)),
    identifyWallet: (headers: Record<string, string>) => auth.identifyWallet(call(headers)),
  };
}

async function refusal(identified: Promise<unknown>) {
  const error = await identified.then(
    () => {
      throw new Error('Identified.');
    },
    (reason: unknown) => reason,
  );
  if (!isApiError(error)) throw error;
  return { status: ERRORS[error.code].status, code: error.code, fields: error.fields, headers: error.headers };
}

describe('who is calling is decided from the headers alone', () => {
  it('a key that holds is its account, under any case of the scheme', async () => {
    const { make, identify } = await gateway();
    const { accountId, secret, id } = await make();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
      expect(await identify({ authorization: `${scheme} ${secret}` })).toEqual({
        accountId,
        apiKeyId: id,
        purse: 'account',
        keyHash: hashApiKey(secret),
        wallet: null,
        allow: null,
      });
    }
  });

  it('a key goes before a sign-in header', async () => {
    const { make, identify } = await gateway();
    const { secret, accountId } = await make();
    expect(await identify({ authorization: `Bearer ${secret}`, 'sign-in-with-x': 'nonsense' })).toMatchObject({
      accountId,
    });
  });

  it('no credential is 402 with x402 discovery, in the body and in the header', async () => {
    const { identify } = await gateway();
    const { status, code, fields, headers } = await refusal(identify({}));
    expect([status, code]).toEqual([402, 'PAYMENT_REQUIRED']);
    expect(bodyFields.parse(fields)).toMatchObject({
      x402Version: 2,
      resource: { url: 'https://gate.example/api/v1/crypto/rpc/base-mainnet' },
    });
    const required = JSON.parse(Buffer.from(headers?.['payment-required'] ?? '', 'base64').toString()) as unknown;
    expect({ ...fields, error: 'Payment required' }).toMatchObject(required as object);
    expect(fields?.['error']).toBe(`Payment required. ${String(fields?.['hint'])}`);
  });

  it('and with what a wallet may sign, made for this path', async () => {
    const { identify } = await gateway();
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { extensions } = bodyFields.parse((await refusal(identify({}))).fields);
      const { info, supportedChains, schema } = extensions?.['sign-in-with-x'] as {
        info: Record<string, string>;
        supportedChains: unknown;
        schema: unknown;
      };
      expect(info).toMatchObject({
        domain: 'gate.example',
        uri: 'https://gate.example/api/v1/crypto/rpc/base-mainnet',
        version: '1',
        statement: 'Sign in to Turnpike',
      });
      expect(info.nonce).toMatch(/^[0-9a-f]{16}$/);
      expect(Date.parse(String(info.expirationTime)) - Date.parse(String(info.issuedAt))).toBe(600_000);
      expect(supportedChains).toEqual([
        { chainId: 'eip155:8453', type: 'eip191' },
        { chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', type: 'ed25519' },
        { chainId: 'eip155:8453', type: 'eip1271' },
      ]);
      expect(schema).toEqual(SIGN_IN_PAYLOAD_SCHEMA);
      nonces.add(String(info.nonce));
    }
    expect(nonces.size).toBe(3);
  });

  it('under the host that was asked: a client of 127.0.0.1 refuses a challenge for localhost', async () => {
    const { identify } = await gateway([]);
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      const { fields, headers } = await refusal(identify({ host, 'payment-signature': 'e30=' }));
      const { resource, extensions, authOptions } = bodyFields.parse(fields);
      const { info } = extensions?.['sign-in-with-x'] as { info: Record<string, string> };
      expect([info.domain, info.uri, resource.url]).toEqual([
        host,
        `http://${host}/api/v1/crypto/rpc/base-mainnet`,
        `http://${host}/api/v1/crypto/rpc/base-mainnet`,
      ]);
      expect(JSON.stringify(authOptions).match(/http:\/\/[^/]+/g)).toEqual(
        Array.from({ length: 4 }, () => `http://${host}`),
      );
      expect(JSON.parse(Buffer.from(String(headers?.['payment-required']), 'base64').toString())).toMatchObject({
        resource,
      });
    }
    expect((await refusal(identify({ host: 'evil.example' }))).fields).toMatchObject({
      resource: { url: 'http://localhost:3000/api/v1/crypto/rpc/base-mainnet' },
    });
  });

  it('no credential at a free endpoint is the same 402, which asks for no payment', async () => {
    const { identifyFree } = await gateway();
    const withoutCredential: Record<string, string>[] = [{}, { 'payment-signature': 'e30=' }];
    for (const headers of withoutCredential) {
      const { status, fields, headers: answered } = await refusal(identifyFree(headers));
      const { accepts, error } = bodyFields.parse(fields);
      expect([status, accepts, fields?.['hint']]).toEqual([402, [], error]);
      expect(error).toMatch(/^This endpoint is free and accepts no payment\. Send "Authorization: Bearer/);
      expect(answered).toHaveProperty('payment-required');
    }
  });

  it('a call without a credential is sent to no top-up where nothing can be paid in', async () => {
    const { identify } = await gateway(undefined, null);
    const { fields } = await refusal(identify({}));
    expect(fields?.['hint']).toBe(
      'Send "Authorization: Bearer <API_KEY>". This gateway accepts no payments: its operator gives out keys.',
    );
  });

  it.each(['payment-signature', 'x-payment', 'x-402-payment'])(
    'a payment under %s is told where payments are taken, where they are not with calls',
    async (name) => {
      const { identify } = await gateway(undefined, null, { ...NO_RAILS, terms: [RAIL] });
      const { status, fields } = await refusal(identify({ [name]: 'e30=' }));
      expect([status, fields?.['hint']]).toEqual([
        402,
        expect.stringContaining('https://gate.example/api/v1/x402/top-up'),
      ]);
    },
  );

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'Bearer a b',
    'tpk_x',
    'Bearer é',
    `Bearer ${'x'.repeat(513)}`,
    'Bearer a\tb',
    'Bearer\ta',
    'Bearer a, Bearer b',
  ])('%j is 401', async (authorization) => {
    const { identify } = await gateway();
    expect(await refusal(identify({ authorization }))).toMatchObject({ status: 401, code: 'INVALID_AUTHORIZATION' });
  });

  it('a key that is unknown, revoked or expired is 401, each by its name', async () => {
    const { books, make, identify } = await gateway();
    const [known, expired] = [await make(), await make({ expiresAt: Date.now() - 1 })];
    const { secret: revoked, id } = await make();
    await books.store.db.updateTable('api_keys').set({ revoked_at: 1 }).where('id', '=', id).execute();
    const code = async (secret: string) => (await refusal(identify({ authorization: `Bearer ${secret}` }))).code;
    expect(await code(`${known.secret}x`)).toBe('INVALID_API_KEY');
    expect(await code(known.secret.toUpperCase())).toBe('INVALID_API_KEY');
    expect(await code(hashApiKey(known.secret))).toBe('INVALID_API_KEY');
    expect(await code(expired.secret)).toBe('API_KEY_EXPIRED');
    expect(await code(revoked)).toBe('API_KEY_REVOKED');
  });
});

describe('a wallet signs in', () => {
  const account = privateKeyToAccount('0x00000000000000000000000000000000000000000000000000000000000a11ce');
  const wallet = account.address.toLowerCase();
  const signedIn = async () => {
    const unsigned = buildSignIn({ address: account.address, uri: 'https://gate.example' });
    return unsigned.header(await account.signMessage({ message: unsigned.text }));
  };

  it('under either name of the header, and pays out of what it prepaid', async () => {
    const { books, identify } = await gateway();
    const accountId = await ensureWalletAccount(books.store.db, account.address);
    for (const name of ['sign-in-with-x', 'x-sign-in-with-x']) {
      expect(await identify({ [name]: await signedIn() })).toEqual({
        accountId,
        apiKeyId: null,
        purse: 'x402',
        keyHash: null,
        wallet,
        allow: null,
      });
    }
    expect(await identify({ 'sign-in-with-x': await signedIn(), 'x-sign-in-with-x': 'nonsense' })).toMatchObject({
      wallet,
    });
  });

  it('without an account it is nobody with money, and makes none', async () => {
    const { books, identify, identifyCredential } = await gateway();
    const header = await signedIn();
    for (const how of [identify, identifyCredential])
      expect(await how({ 'sign-in-with-x': header })).toEqual({
        accountId: 0,
        apiKeyId: null,
        purse: 'x402',
        keyHash: null,
        wallet,
        allow: null,
      });
    expect(await books.store.db.selectFrom('accounts').selectAll().execute()).toEqual([]);
  });

  it('what is wrong with a sign-in is 401, also where nothing is paid', async () => {
    const { identify, identifyCredential, identifyWallet } = await gateway();
    for (const how of [identify, identifyCredential, identifyWallet]) {
      for (const header of ['', 'nonsense'])
        expect(await refusal(how({ 'sign-in-with-x': header }))).toMatchObject({
          status: 401,
          code: 'SIGN_IN_MALFORMED',
        });
    }
  });

  it('where nothing is paid, no credential is 401; where only a wallet will do, a key is none', async () => {
    const { make, identifyCredential, identifyWallet } = await gateway();
    const { secret, accountId } = await make();
    const authorization = `Bearer ${secret}`;
    expect(await refusal(identifyCredential({}))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(await identifyCredential({ authorization })).toMatchObject({ accountId, wallet: null });
    expect(await refusal(identifyWallet({ authorization }))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(await identifyWallet({ authorization, 'sign-in-with-x': await signedIn() })).toMatchObject({ wallet });
  });
});
