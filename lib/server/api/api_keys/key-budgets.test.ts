import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { KEY, openKeysGateway, USD } from '@/test/keys-gateway';
import { describeWithPostgres } from '@/test/postgres';
import { KeyAlerts } from '../../billing/key-alerts/key-alerts';
import { WebhookSender } from '../../billing/key-alerts/webhook';
import { insertApiKey, newApiKeySecret } from '../../db/api-keys';
import { grant } from '../../db/credits';
import { ensureWalletAccount } from '../../db/wallets';
import { createLog } from '../../telemetry/log';

/** Tests that must pass on SQLite and Postgres. */
function tests(env: () => Promise<Record<string, string>>): void {
  it('a key is bounded to networks and endpoints, which costs nothing when it is refused', async () => {
    const { gateway, accountId, call, patch } = await openKeysGateway(await env());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    expect(await patch({ allow: { endpoints: ['rpc'], networks: ['base-mainnet'] } })).toMatchObject({
      status: 200,
      json: { data: { allow: { endpoints: ['rpc'], networks: ['base-mainnet'] } } },
    });
    expect((await call()).status).toBe(200);
    expect(await call('polygon-mainnet')).toMatchObject({
      status: 403,
      json: {
        code: 'API_KEY_NOT_ALLOWED',
        error: expect.stringContaining('the network polygon-mainnet (its list has base-mainnet)'),
      },
    });
    await patch({ allow: { endpoints: ['chat', 'speech'] } });
    expect(await call()).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('rpc (its list has chat, speech)') },
    });
    await patch({ allow: null });
    expect((await call('polygon-mainnet')).status).toBe(200);
    const charged = await gateway.db.selectFrom('ledger').select('amount').where('kind', '=', 'CHARGE').execute();
    expect(charged.map(({ amount }) => Number(amount))).toEqual([-1_000_000, -1_000_000]);
  });

  it('a key spends what its wallet prepaid once that wallet says so, up to its limit, after everything else', async () => {
    const { gateway, accountId, call, patch, prepay, signIn, list } = await openKeysGateway(await env());
    await prepay(5);
    expect(await call()).toMatchObject({
      status: 402,
      json: {
        code: 'INSUFFICIENT_BALANCE',
        error: expect.stringContaining('sign in'),
        balances: { diem: 0, bundledCredits: 0, usd: 0 },
      },
    });
    expect(await patch({ prepaidLimitUsd: 0.002 })).toMatchObject({
      status: 403,
      json: {
        error:
          "Only a wallet sign-in can let a key spend the wallet's prepaid balance. Sign in with the wallet (SIGN-IN-WITH-X).",
      },
    });
    expect((await call()).status).toBe(402);
    expect(await patch({ prepaidLimitUsd: 0.002 }, await signIn())).toMatchObject({
      status: 200,
      json: { data: { prepaidLimitUsd: 0.002 } },
    });
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD / 1000, detail: 'test' });
    for (let calls = 0; calls < 3; calls++) expect((await call()).status).toBe(200);
    expect(await call()).toMatchObject({ status: 402, json: { code: 'API_KEY_PREPAID_SPEND_LIMIT_EXCEEDED' } });
    const pots = await gateway.db
      .selectFrom('ledger')
      .select(['pot', 'amount'])
      .where('kind', '=', 'CHARGE')
      .orderBy('id')
      .execute();
    expect(pots.map(({ pot }) => pot)).toEqual(['usd', 'x402', 'x402']);
    expect((await list()).find(({ id }) => id === String(1))).toMatchObject({
      prepaidLimitUsd: 0.002,
      usage: { total: { usd: 0.003 } },
    });
    await patch({ prepaidLimitUsd: null }, await signIn());
    expect(await call()).toMatchObject({ status: 402 });
    expect(await gateway.db.selectFrom('meters').select('x402').where('account_id', '=', accountId).execute()).toEqual([
      { x402: 4.998 * USD },
    ]);
  });

  it('the secret of its webhook is sent as it is, however long what was chosen beside it; the list, without it, is compressed', async () => {
    const { origin, admin, key } = await openKeysGateway(await env());
    const headers = {
      authorization: `Bearer ${admin.secret}`,
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    };
    const body = JSON.stringify({ alert: { usd: 1, webhookUrl: `https://127.0.0.1/${'a'.repeat(1_500)}` } });
    const changed = await fetch(`${origin}/api/v1/api_keys?id=${key.id}`, { method: 'PATCH', headers, body });
    expect([changed.status, changed.headers.get('content-encoding')]).toEqual([200, null]);
    expect(await changed.text()).toContain('whsec_');
    const listed = await fetch(`${origin}/api/v1/api_keys`, { headers });
    expect(listed.headers.get('content-encoding')).toBe('gzip');
    expect(await listed.text()).not.toContain('whsec_');
  });

  it('its owner is told once a period what it spent, in the list and by a signed message that is tried until it is taken', async () => {
    const { gateway, accountId, call, patch, list } = await openKeysGateway(await env());
    await grant(gateway.db, { accountId, pot: 'usd', amountNanoUsd: USD, detail: 'test' });
    const received: { id: unknown; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        received.push({ id: request.headers['webhook-id'], body });
        response.writeHead(received.length < 3 ? 503 : 200).end();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => receiver.once('listening', resolve));
    onTestFinished(() => void receiver.close());
    const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    expect(await patch({ alert: { usd: 0.002, webhookUrl } })).toMatchObject({
      status: 200,
      json: {
        data: { webhookSecret: expect.stringMatching(/^whsec_/), alert: { usd: 0.002, webhookUrl, last: null } },
      },
    });
    const clock = { now: Date.now() };
    const webhooks = new WebhookSender(gateway.config.secret, gateway.config.webhooks);
    onTestFinished(() => webhooks.close());
    const alerts = new KeyAlerts({ db: gateway.db, webhooks, now: () => clock.now, log: createLog('silent') });
    await call();
    await alerts.run();
    expect(received).toEqual([]);
    await call();
    await alerts.run();
    await alerts.run();
    expect(received).toHaveLength(1);
    expect((await list())[1]).toMatchObject({
      alert: {
        last: { spentUsd: 0.002, attempts: 1, deliveredAt: null, error: 'The webhook answered with status 503.' },
      },
    });
    for (const waitMs of [5_000, 30_000, 120_000]) {
      clock.now += waitMs;
      await alerts.run();
    }
    await call();
    await alerts.run();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ id, body }) => `${String(id)} ${body}`)).size).toBe(1);
    expect(JSON.parse((received[0] as { body: string }).body)).toMatchObject({
      type: 'api_key.alert',
      data: { thresholdUsd: 0.002, spentUsd: 0.002, last6Chars: expect.any(String) },
    });
    expect((await list())[1]).toMatchObject({
      alert: { last: { attempts: 3, deliveredAt: expect.any(String), nextAttemptAt: null, error: null } },
    });
  });

  it('what is no budget is refused by its field, and changes nothing', async () => {
    const { patch, list, key, gateway } = await openKeysGateway(await env());
    for (const [body, field] of [
      [{}, 'Has nothing to change'],
      [{ limit: 5 }, 'limit'],
      [{ allow: {}, extra: 1 }, 'extra'],
      [{ allow: { endpoints: [] } }, 'allow.endpoints'],
      [{ allow: { endpoints: ['music'] } }, 'allow.endpoints.0'],
      [{ allow: { networks: 'base-mainnet' } }, 'allow.networks'],
      [
        { allow: { networks: ['polygon-mainnet', 'base-mainet'] } },
        'The field "allow.networks.1" is not valid: "base-mainet" is not a network of this gateway; the most similar is base-mainnet.',
      ],
      [
        { allow: { networks: ['<b>'] } },
        'The field "allow.networks.0" is not valid: "<b>" is not a network of this gateway.',
      ],
      [{ alert: { usd: 0 } }, 'alert.usd'],
      [{ alert: { usd: -1 } }, 'alert.usd'],
      [{ alert: { usd: '5' } }, 'alert.usd'],
      [{ alert: { usd: 0.0000000001 } }, 'alert.usd'],
      [{ alert: { usd: 1, webhookUrl: 'javascript:alert(1)' } }, 'alert.webhookUrl'],
      [{ alert: { usd: 1, webhookUrl: 'https://example.org/a\0b' } }, 'alert.webhookUrl'],
      [{ prepaidLimitUsd: -1 }, 'prepaidLimitUsd'],
    ] as const) {
      expect(await patch(body), JSON.stringify(body)).toMatchObject({
        status: 400,
        json: { error: expect.stringContaining(field) },
      });
    }
    expect(await patch({ alert: null }, { authorization: `Bearer ${key.secret}` })).toMatchObject({ status: 403 });
    expect(await patch({ alert: null }, {})).toMatchObject({ status: 401 });
    expect(await patch({ alert: null }, undefined, 999)).toMatchObject({
      status: 404,
      json: { code: 'API_KEY_NOT_FOUND' },
    });
    const other = await insertApiKey(gateway.db, newApiKeySecret(), {
      ...KEY,
      accountId: await ensureWalletAccount(gateway.db, `0x${'ab'.repeat(20)}`),
    });
    expect(await patch({ alert: null }, undefined, other)).toMatchObject({ status: 404 });
    expect((await list())[1]).toMatchObject({ allow: null, prepaidLimitUsd: null, alert: null });
  });
}

describe('budgets of keys, on SQLite', () => tests(() => Promise.resolve({})));

describeWithPostgres('budgets of keys, on Postgres', (server) => {
  tests(async () => ({ DATABASE_URL: await server().createMigratedDatabase() }));
});
