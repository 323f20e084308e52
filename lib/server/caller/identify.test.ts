import { describe, expect, it } from 'vitest';
import { ERRORS, isApiError } from '@/lib/protocol/errors';
import { discoverySchema } from '@/lib/protocol/error-bodies';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import { createAccount } from '../store/accounts';
import { hashApiKey, insertApiKey, newApiKeySecret } from '../store/api-keys';
import { SqliteBooks } from '../testing/sqlite-books';
import { identify } from './identify';

const call = (headers: Record<string, string>) =>
  ({ path: '/api/v1/crypto/rpc/base-mainnet', header: (name: string) => headers[name] ?? null, readBody: () => Promise.reject(new Error('The body was looked at.')) }) as unknown as Call;

async function gateway() {
  const books = await SqliteBooks.open();
  const make = async (settings: { expiresAt?: number } = {}) => {
    const accountId = await createAccount(books.store.db, { label: '', tier: 'paid' });
    const secret = newApiKeySecret();
    const id = await insertApiKey(books.store.db, secret, { accountId, type: 'ADMIN', description: '', expiresAt: settings.expiresAt ?? null, limitPeriod: 'LIFETIME', limitUsdNano: null, limitDiemNano: null });
    return { accountId, secret, id };
  };
  return { books, make, identify: (headers: Record<string, string>) => identify(call(headers), { meter: books.meter, origin: 'https://gate.example' } as unknown as Gateway) };
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
      expect(await identify({ authorization: `${scheme} ${secret}` })).toEqual({ accountId, apiKeyId: id, purse: 'account', keyHash: hashApiKey(secret) });
    }
  });

  it('a key goes before a sign-in header', async () => {
    const { make, identify } = await gateway();
    const { secret, accountId } = await make();
    expect(await identify({ authorization: `Bearer ${secret}`, 'sign-in-with-x': 'nonsense' })).toMatchObject({ accountId });
  });

  it('no credential is 402 with x402 discovery, in the body and in the header', async () => {
    const { identify } = await gateway();
    const { status, code, fields, headers } = await refusal(identify({}));
    expect([status, code]).toEqual([402, 'PAYMENT_REQUIRED']);
    expect(discoverySchema.parse(fields)).toMatchObject({ x402Version: 2, resource: { url: 'https://gate.example/api/v1/crypto/rpc/base-mainnet' } });
    const required = JSON.parse(Buffer.from(headers?.['payment-required'] ?? '', 'base64').toString()) as unknown;
    expect(fields).toMatchObject(required as object);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic dTpw', 'Bearer a b', 'tpk_x', 'Bearer é', `Bearer ${'x'.repeat(513)}`, 'Bearer a\tb', 'Bearer\ta', 'Bearer a, Bearer b'])('%j is 401', async (authorization) => {
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
