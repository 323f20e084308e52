import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearer, KEY, type KeysGateway, openKeysGateway, USD } from '@/test/keys-gateway';
import { describeWithPostgres } from '@/test/postgres';
import { throughEntry } from '@/test/through-entry';
import { type ApiKey, findApiKey, insertApiKey, newApiKeySecret, NO_BUDGET } from '../../db/api-keys';
import { grant } from '../../db/credits';
import { ensureWalletAccount } from '../../db/wallets';
import { nextRoute } from '../../http/next-adapter';
import { setServedApi } from '../../http/served-api';

const RPC = { method: 'eth_chainId', id: 1 };

/** Body of a PATCH for each field, and what the database then stores. */
const FIELDS = {
  allow: [{ allow: { endpoints: ['rpc'] } }, { allow: { endpoints: ['rpc'] } }],
  prepaid: [{ prepaidLimitUsd: 2 }, { limitPrepaidNano: 2 * USD }],
  alert: [{ alert: { usd: 3 } }, { alertNano: 3 * USD, webhookUrl: null }],
} as const;

const kept = async ({ gateway }: KeysGateway, id: number): Promise<ApiKey> =>
  (await findApiKey(gateway.db, id)) as ApiKey;

/** Tests that must pass on SQLite and Postgres. */
function tests(env: () => Promise<Record<string, string>>): void {
  it('concurrent changes of different fields both take effect', async () => {
    const stage = await openKeysGateway(await env());
    const { key, admin, patch, hold, signIn } = stage;
    const wallet = await signIn();
    for (const [late, early] of [
      ['allow', 'prepaid'],
      ['alert', 'prepaid'],
      ['alert', 'allow'],
      ['allow', 'alert'],
      ['prepaid', 'allow'],
    ] as const) {
      await patch({ allow: null, prepaidLimitUsd: null, alert: null }, wallet);
      const held = await hold(
        'PATCH',
        `/api/v1/api_keys?id=${key.id}`,
        late === 'prepaid' ? wallet : bearer(admin.secret),
        FIELDS[late][0],
      );
      expect((await patch(FIELDS[early][0], wallet)).status).toBe(200);
      expect((await held.finish()).status).toBe(200);
      expect(await kept(stage, key.id), `${late} after ${early}`).toMatchObject({
        ...FIELDS[early][1],
        ...FIELDS[late][1],
      });
    }
  });

  it('changes of a key at the same time leave the last word of each field, in any mixture', async () => {
    const stage = await openKeysGateway(await env());
    const { key, patch, signIn } = stage;
    const wallet = await signIn();
    const field = fc.constantFrom(...(Object.keys(FIELDS) as (keyof typeof FIELDS)[]));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(field, { minLength: 2 }), async (fields) => {
        await patch({ allow: null, prepaidLimitUsd: null, alert: null }, wallet);
        const answers = await Promise.all(fields.map((each) => patch(FIELDS[each][0], wallet)));
        expect(answers.map(({ status }) => status)).toEqual(fields.map(() => 200));
        expect(await kept(stage, key.id)).toMatchObject(
          Object.assign({ ...NO_BUDGET }, ...fields.map((each) => FIELDS[each][1])) as object,
        );
      }),
      { numRuns: 20 },
    );
  });

  it('a request that a key holds open does nothing once the key has ended', async () => {
    const stage = await openKeysGateway(await env());
    const { key, made, hold, revoke } = stage;
    const other = await made({ type: 'ADMIN' });
    const held = await hold('PATCH', `/api/v1/api_keys?id=${key.id}`, bearer(other.secret), {
      allow: { endpoints: ['chat'] },
      alert: { usd: 1 },
    });
    expect((await revoke(other.id)).status).toBe(200);
    expect(await held.finish()).toMatchObject({ status: 401, json: { code: 'API_KEY_REVOKED' } });
    const short = await made({ type: 'ADMIN', expiresAt: Date.now() + 600 });
    const late = await hold('PATCH', `/api/v1/api_keys?id=${key.id}`, bearer(short.secret), { alert: { usd: 1 } });
    await sleep(600);
    expect(await late.finish()).toMatchObject({ status: 401, json: { code: 'API_KEY_EXPIRED' } });
    expect(await kept(stage, key.id)).toMatchObject(NO_BUDGET);
  });

  it('the same behind Next', async () => {
    const stage = await openKeysGateway(await env());
    const { gateway, key, made, revoke } = stage;
    const other = await made({ type: 'ADMIN' });
    setServedApi(gateway);
    let end = (): void => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(Buffer.from('{"alert":'));
        end = () => {
          controller.enqueue(Buffer.from('{"usd":1}}'));
          controller.close();
        };
      },
    });
    const request = new Request(`http://gateway.test/api/v1/api_keys?id=${key.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...bearer(other.secret) },
      body,
      duplex: 'half',
    } as RequestInit);
    const answering = throughEntry(nextRoute('/api/v1/api_keys').PATCH, request);
    await sleep(100);
    await revoke(other.id);
    end();
    expect((await answering).status).toBe(401);
    expect(await kept(stage, key.id)).toMatchObject(NO_BUDGET);
  });

  it('of two keys that revoke each other at the same time, one does', async () => {
    const { made, revoke, gateway } = await openKeysGateway(await env());
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await made({ type: 'ADMIN' }), await made({ type: 'ADMIN' })];
      const answers = await Promise.all([revoke(two.id, bearer(one.secret)), revoke(one.id, bearer(two.secret))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      const ended = [await findApiKey(gateway.db, one.id), await findApiKey(gateway.db, two.id)].filter(
        (each) => each?.revokedAt !== null,
      );
      expect(ended).toHaveLength(1);
    }
  });

  it('a call whose key is bounded while its body arrives is bounded, and charged nothing', async () => {
    const { gateway, accountId, key, patch, hold } = await openKeysGateway(await env());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    const held = await hold('POST', '/api/v1/crypto/rpc/base-mainnet', bearer(key.secret), RPC);
    expect((await patch({ allow: { networks: ['polygon-mainnet'] } })).status).toBe(200);
    expect(await held.finish()).toMatchObject({ status: 403, json: { code: 'API_KEY_NOT_ALLOWED' } });
    expect(await gateway.db.selectFrom('ledger').select('id').where('kind', '=', 'CHARGE').execute()).toEqual([]);
  });

  it.each(['retrieve', 'complete'])('a held POST /video/%s is nothing once its key is revoked', async (verb) => {
    const { made, hold, revoke } = await openKeysGateway(await env());
    const other = await made();
    const held = await hold('POST', `/api/v1/video/${verb}`, bearer(other.secret), {
      model: 'film',
      queue_id: '2f0e7d1c-93b8-4a5e-8c1f-6f0b6c0f7a11',
    });
    await revoke(other.id);
    expect(await held.finish()).toMatchObject({ status: 401, json: { code: 'API_KEY_REVOKED' } });
  });

  it('a key changes nothing of itself, and of others only what stays within its own bounds', async () => {
    const { key, made, patch, revoke } = await openKeysGateway(await env());
    const bounded = await made({ type: 'ADMIN', allow: { endpoints: ['rpc'], networks: ['base-mainnet'] } });
    const by = bearer(bounded.secret);
    for (const body of [
      { allow: null },
      { allow: { endpoints: ['chat'] } },
      { allow: { endpoints: ['rpc'], networks: ['base-mainnet'] } },
      { alert: null },
    ]) {
      expect(await patch(body, by, bounded.id), JSON.stringify(body)).toMatchObject({
        status: 403,
        json: { code: 'FORBIDDEN', error: expect.stringContaining('cannot change its own bounds') },
      });
    }
    for (const body of [
      { allow: null },
      { allow: { endpoints: ['rpc'] } },
      { allow: { networks: ['base-mainnet'] } },
      { allow: { endpoints: ['rpc', 'chat'], networks: ['base-mainnet'] } },
      { alert: { usd: 1 } },
    ]) {
      expect(await patch(body, by, key.id), JSON.stringify(body)).toMatchObject({
        status: 403,
        json: { error: expect.stringContaining('more than it has itself') },
      });
    }
    expect(
      (await patch({ allow: { endpoints: ['rpc'], networks: ['base-mainnet'] }, alert: { usd: 1 } }, by, key.id))
        .status,
    ).toBe(200);
    expect((await revoke(key.id, by)).status).toBe(200);
    expect((await revoke(bounded.id, by)).status).toBe(200);
  });

  it.each([
    [
      'a limit in USD',
      { limitUsdNano: USD },
      [{}, { limitUsdNano: 2 * USD }],
      [{ limitUsdNano: USD }, { limitUsdNano: USD, limitPeriod: 'LIFETIME' }],
    ],
    [
      'a limit of a month',
      { limitUsdNano: USD, limitPeriod: 'MONTH' },
      [{ limitUsdNano: USD, limitPeriod: 'EPOCH' }],
      [
        { limitUsdNano: 0, limitPeriod: 'EPOCH' },
        { limitUsdNano: USD, limitPeriod: 'MONTH' },
      ],
    ],
    ['a limit of the allocation', { limitDiemNano: USD }, [{ limitUsdNano: USD }], [{ limitDiemNano: 1 }]],
    [
      'an expiry',
      { expiresAt: 4_000_000_000_000 },
      [{}, { expiresAt: 4_000_000_000_001 }],
      [{ expiresAt: 3_999_999_999_999 }],
    ],
    [
      'no prepaid share',
      {},
      [{ limitPrepaidNano: 1, allow: { endpoints: ['rpc'] } }],
      [{ limitPrepaidNano: 1 }, { allow: { endpoints: ['rpc'] } }],
    ],
    [
      'a prepaid share',
      { limitPrepaidNano: USD },
      [{ limitPrepaidNano: 2 * USD, allow: { endpoints: ['rpc'] } }],
      [{ limitPrepaidNano: USD, allow: { endpoints: ['rpc'] } }],
    ],
  ] as const)('an ADMIN key with %s lets no key do more than itself', async (_bound, own, beyond, within) => {
    const { made, patch } = await openKeysGateway(await env());
    const by = bearer((await made({ type: 'ADMIN', ...own })).secret);
    const lift = async (terms: object) => (await patch({ allow: null }, by, (await made(terms)).id)).status;
    for (const terms of beyond) expect(await lift(terms), JSON.stringify(terms)).toBe(403);
    for (const terms of within) expect(await lift(terms), JSON.stringify(terms)).toBe(200);
  });

  it('a key of another account is neither changed nor revoked', async () => {
    const stage = await openKeysGateway(await env());
    const other = await insertApiKey(stage.gateway.db, newApiKeySecret(), {
      ...KEY,
      accountId: await ensureWalletAccount(stage.gateway.db, `0x${'cd'.repeat(20)}`),
    });
    expect([
      (await stage.patch({ alert: { usd: 1 } }, undefined, other)).status,
      (await stage.revoke(other)).status,
    ]).toEqual([404, 404]);
    expect(await kept(stage, other)).toMatchObject({ alertNano: null, revokedAt: null });
  });
}

describe('changes of keys that come late, on SQLite', () => tests(() => Promise.resolve({})));

describeWithPostgres('changes of keys that come late, on Postgres', (server) => {
  tests(async () => ({ DATABASE_URL: await server().createMigratedDatabase() }));
});
