/**
 * @at next: payment headers and the 402 with terms pass Next's own server.
 * @at postgres: database functions record and credit payments.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evmWallet, type SignIn, solanaWallet } from '../payments/paying-wallets';
import { expectCharged, NANO_USD_PER_CREDIT } from './harness/credits';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';

/**
 * spec, "POST /x402/top-up" and following: wallets prepay with the official clients, with the entry and store under
 * test.
 */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const CALL_CREDITS = 20;
const CALL_USD = (CALL_CREDITS * NANO_USD_PER_CREDIT) / 1e9;

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
}, 120_000);
afterAll(() => gateway?.stop());

const topUp = (query = '', headers = {}) =>
  gateway.ask({ method: 'POST', path: `/api/v1/x402/top-up${query}`, headers });
const read = async (path: string, signIn: string | null) =>
  gateway.ask({
    method: 'GET',
    path: `/api/v1/x402/${path}`,
    headers: signIn === null ? {} : { 'sign-in-with-x': signIn },
  });
const call = (signIn: string) =>
  gateway.rpc({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }, { as: null, headers: { 'sign-in-with-x': signIn } });

describe('without a payment', () => {
  test('the answer is 402 with every rail, Base first, in the body and in the header', async () => {
    const { status, json, headers } = await topUp();
    expect(status).toBe(402);
    const { accepts } = json as { accepts: { network: string; amount: string; extra: object }[] };
    expect(accepts.map(({ network }) => network)).toEqual(['eip155:8453', SOLANA, 'eip155:31337']);
    expect(accepts.map(({ amount }) => amount)).toEqual(['5000000', '5000000', '5000000']);
    expect(accepts[1]?.extra).toMatchObject({ feePayer: expect.any(String) });
    expect(JSON.parse(Buffer.from(String(headers['payment-required']), 'base64').toString())).toMatchObject({
      x402Version: 2,
      accepts,
    });
  });

  test('amountUsd is what it asks for, and less than 5 is refused', async () => {
    const { json } = await topUp('?amountUsd=25');
    expect((json as { accepts: { amount: string }[] }).accepts[0]?.amount).toBe('25000000');
    for (const amount of ['4.99', '0', '-5', 'ten', '']) expect((await topUp(`?amountUsd=${amount}`)).status).toBe(400);
  });

  test('clients of version 1 are told of the networks that they know', async () => {
    const { json } = await topUp('?x402Version=1');
    expect(json).toMatchObject({
      x402Version: 1,
      accepts: [
        { network: 'base', maxAmountRequired: '5000000' },
        { network: 'solana', maxAmountRequired: '5000000' },
      ],
    });
  });
});

describe('with payments under two names', () => {
  const encoded = (nonce: string) =>
    Buffer.from(JSON.stringify({ scheme: 'exact', network: 'base', payload: { authorization: { nonce } } })).toString(
      'base64',
    );

  test('that differ, none is taken: something in between may have looked at the other', async () => {
    const { status, json } = await topUp('', { 'payment-signature': encoded('1'), 'x-payment': encoded('2') });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: 'X402_INVALID_PAYMENT', details: { reason: 'ambiguous_payment' } });
  });

  test('that are one and the same are read once', async () => {
    const { status, json } = await topUp('', { 'payment-signature': encoded('1'), 'x-payment': encoded('1') });
    expect(status).toBe(400);
    expect(json).toMatchObject({ details: { reason: expect.not.stringMatching('ambiguous_payment') } });
  });
});

describe('with a payment', () => {
  async function expectCredited(wallet: { address: string; signIn: SignIn }, client: x402Client): Promise<void> {
    const pay = wrapFetchWithPayment(fetch, client);
    const response = await pay(`${gateway.url}/api/v1/x402/top-up?amountUsd=12.50`, { method: 'POST' });
    const body = (await response.json()) as { data: { paymentId: string } };
    expect(response.status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: { walletAddress: wallet.address, amountCredited: 12.5, newBalance: 12.5 },
    });

    const signIn = await wallet.signIn(gateway.url);
    const answer = await call(signIn);
    expectCharged(gateway, answer, CALL_CREDITS);
    const left = 12.5 - CALL_USD;
    expect(answer.headers['x-balance-remaining']).toBe(left.toFixed(6));
    expect((await read(`balance/${wallet.address}`, signIn)).json).toMatchObject({
      data: { balanceUsd: left, canConsume: true, minimumTopUpUsd: 5 },
    });
    expect((await read(`transactions/${wallet.address}?limit=1`, signIn)).json).toMatchObject({
      data: {
        currentBalance: left,
        transactions: [{ type: 'CHARGE', amount: -CALL_USD, balanceAfter: left }],
        pagination: { limit: 1, offset: 0, hasMore: true },
      },
    });
    expect((await read(`transactions/${wallet.address}?limit=1&offset=1`, signIn)).json).toMatchObject({
      data: {
        transactions: [{ type: 'TOP_UP', amount: 12.5, balanceAfter: 12.5, requestId: body.data.paymentId }],
        pagination: { hasMore: false },
      },
    });
    expect((await gateway.operator.checkLedger()).ok).toBe(true);
  }

  test('of an EVM wallet: balance, transactions and the next call agree', async () => {
    const wallet = await evmWallet(`${gateway.url}/api/sandbox`);
    await expectCredited(
      wallet,
      x402Client.fromConfig({
        schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(wallet.account) }],
        spendControls: false,
      }),
    );
  });

  test('of a Solana wallet, the same', async () => {
    const wallet = await solanaWallet(`${gateway.url}/api/sandbox`);
    const rpcUrl = `${gateway.url}/api/sandbox/rpc/solana-mainnet`;
    expect(sandbox.solana?.rpcUrl).toContain('/api/sandbox/rpc/');
    await expectCredited(
      wallet,
      x402Client.fromConfig({
        schemes: [{ network: SOLANA, client: new ExactSvmScheme(wallet.signer, { rpcUrl }) }],
        spendControls: false,
      }),
    );
  });

  test.each(['payment-signature', 'x-payment', 'x-402-payment'])(
    'that cannot be read, under %s, is 400 with the reason',
    async (name) => {
      const { status, json } = await topUp('', { [name]: '%%%' });
      expect(status).toBe(400);
      expect(json).toMatchObject({
        error: 'X402_INVALID_PAYMENT',
        message: expect.any(String),
        details: expect.any(Object),
      });
    },
  );
});

describe("another wallet's balance and transactions", () => {
  test.each(['balance', 'transactions'])('%s: 401 without sign-in, 403 by another wallet', async (what) => {
    const [one, other] = [await evmWallet(`${gateway.url}/api/sandbox`), await evmWallet(`${gateway.url}/api/sandbox`)];
    expect((await read(`${what}/${one.address}`, null)).status).toBe(401);
    expect((await read(`${what}/${one.address}`, await other.signIn(gateway.url))).status).toBe(403);
    expect((await read(`${what}/${one.address}`, await one.signIn(gateway.url))).status).toBe(200);
  });
});
