/**
 * @at next: unknown paths use another route of Next, and must give the same answer.
 * @at postgres: the figures are sums of its rows.
 */
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage, generateSiweNonce } from 'viem/siwe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorFiguresSchema } from '@/lib/protocol/operator-figures';
import { operatorMarginsSchema } from '@/lib/protocol/operator-margins';
import { type GatewayUnderTest, startGateway } from './harness/gateway-under-test';
import type { Answer } from './harness/http-exchange';
import type { Caller } from './harness/operator';
import { StubUpstream } from './harness/stub-upstream';

/** The operator's figures of the gateway. For everyone else, the path does not exist. */

const PATH = '/api/v1/operator/figures';
const MARGINS = '/api/v1/operator/margins';
const KEY = 'the-key-of-the-operator-of-this-suite';
const listed = privateKeyToAccount(generatePrivateKey());

let stub: StubUpstream;
let gateway: GatewayUnderTest;
let caller: Caller;

beforeAll(async () => {
  stub = await new StubUpstream().start();
  const config = {
    operators: [listed.address],
    networks: {
      'base-mainnet': {
        upstreams: [stub.url('base-mainnet')],
        chainIdentity: false,
        costs: { usdPerCredit: '0.0000002' },
      },
    },
    limits: { consoleRequestsPerMinutePerIp: 1_000 },
  };
  gateway = await startGateway({ profile: 'live', config, env: { TURNPIKE_OPERATOR_KEY: KEY } });
  caller = (await gateway.operator.createCallers(1))[0] as Caller;
});
afterAll(async () => {
  await gateway?.stop();
  await stub?.stop();
});

const ask = (headers: Record<string, string> = {}, method = 'GET', path = PATH): Promise<Answer> =>
  gateway.ask({ method, path, headers });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function signIn(account: PrivateKeyAccount): Promise<Record<string, string>> {
  const domain = `localhost:${gateway.port}`;
  const message = createSiweMessage({
    address: account.address,
    domain,
    uri: `http://${domain}`,
    version: '1',
    chainId: 8453,
    nonce: generateSiweNonce(),
    statement: 'Sign in to Turnpike',
    issuedAt: new Date(),
    expirationTime: new Date(Date.now() + 600_000),
  });
  const payload = {
    address: account.address,
    message,
    signature: await account.signMessage({ message }),
    timestamp: Date.now(),
    chainId: 8453,
  };
  return { 'sign-in-with-x': Buffer.from(JSON.stringify(payload)).toString('base64') };
}

describe('an operator', () => {
  test('sees upstreams, refusals, and the money of today, by the key', async () => {
    expect(
      (await gateway.rpc({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { as: caller, network: 'base-mainnet' }))
        .status,
    ).toBe(200);
    expect(
      (
        await gateway.rpc(
          { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
          { as: { key: 'sk_nobody' }, network: 'base-mainnet' },
        )
      ).status,
    ).toBe(401);
    const answer = await ask(bearer(KEY));
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { gateways, books } = operatorFiguresSchema.parse(answer.json);
    expect(books).toMatchObject({ accounts: 1, keys: { live: 1, ended: 0 }, openPayments: [] });
    expect(books.days).toHaveLength(30);
    expect(books.days.at(-1)).toMatchObject({
      charges: 1,
      chargedNanoUsd: 14_000,
      paidInNanoUsd: 0,
      withdrawnNanoUsd: 0,
      traffic: { failed: 0 },
    });
    const [own] = gateways;
    expect(own?.figures).toMatchObject({ isDraining: false, refusals: { INVALID_API_KEY: 1 } });
    expect(own?.figures?.networks.find(({ network }) => network === 'base-mainnet')?.upstreams).toMatchObject([
      { name: 'upstream 1', state: 'healthy' },
    ]);
    // The figures identify nobody: they contain no key, wallet or URL.
    expect(answer.text).not.toMatch(/https?:|0x[0-9a-f]{8}|sk_/i);
  });

  test('sees what each network earned and cost', async () => {
    const answer = await ask(bearer(KEY), 'GET', MARGINS);
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    const { days, resources } = operatorMarginsSchema.parse(answer.json);
    expect(days).toHaveLength(30);
    expect(resources).toEqual([
      {
        product: 'rpc',
        name: 'base-mainnet',
        unit: 'credits',
        days: [
          {
            day: days.at(-1),
            charges: 1,
            units: 20,
            incomeNanoUsd: 14_000,
            givenNanoUsd: 0,
            costNanoUsd: { least: 4_000, most: 4_000 },
          },
        ],
      },
    ]);
  });

  test('is also who signs in with a wallet on the list', async () => {
    expect((await ask(await signIn(listed))).status).toBe(200);
  });
});

describe('for everybody else there is no such path', () => {
  /** Returns an answer without its id and time, which differ between any two answers. */
  const seen = ({ status, headers: { 'x-request-id': _id, date: _date, ...headers }, text }: Answer) => ({
    status,
    headers,
    text,
  });

  async function expectNothing(headers: Record<string, string>, method = 'GET'): Promise<void> {
    for (const path of [PATH, MARGINS]) {
      const answer = await ask(headers, method, path);
      expect(answer.status).toBe(method === 'OPTIONS' ? 204 : 404);
      expect(seen(answer)).toEqual(seen(await ask(headers, method, '/api/v1/operator/nothing')));
    }
  }

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('by %s without a credential', (method) =>
    expectNothing({}, method),
  );

  test('with a key of a caller, one that nobody has, one that is nearly right, and one that is malformed', async () => {
    for (const key of [caller.key, 'sk_nobody', KEY.slice(1), `${KEY}x`]) await expectNothing(bearer(key));
    await expectNothing({ authorization: KEY });
    await expectNothing({ authorization: `Basic ${Buffer.from(`operator:${KEY}`).toString('base64')}` });
  });

  test('with a key that was revoked', async () => {
    const [revoked] = (await gateway.operator.createCallers(1)) as [Caller];
    const { keys } = await gateway.operator.run<{ keys: { id: number; last6: string }[] }>('keys list');
    const id = keys.find(({ last6 }) => revoked.key.endsWith(last6))?.id;
    await gateway.operator.run('keys revoke', '--id', String(id));
    await expectNothing(bearer(revoked.key));
  });

  test('with the sign-in of a wallet that is not on the list, and one that does not hold', async () => {
    await expectNothing(await signIn(privateKeyToAccount(generatePrivateKey())));
    await expectNothing({ 'sign-in-with-x': 'bm8' });
    const { 'sign-in-with-x': good = '' } = await signIn(listed);
    const payload = JSON.parse(Buffer.from(good, 'base64').toString('utf8')) as { signature: string };
    const forged = {
      ...payload,
      signature: await privateKeyToAccount(generatePrivateKey()).signMessage({ message: 'another' }),
    };
    await expectNothing({ 'sign-in-with-x': Buffer.from(JSON.stringify(forged)).toString('base64') });
  });

  test('by another verb with the key itself', () => expectNothing(bearer(KEY), 'POST'));

  test('in the API description', async () => {
    expect((await gateway.ask({ method: 'GET', path: '/api/v1/openapi.json' })).text).not.toContain('v1/operator/');
  });
});
