/**
 * @not next: Next's own server passes payments to the same code, as pay-on-call.test.ts shows.
 * @at postgres: a unique index of the database separates identifiers.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSolanaTransfer } from '@/lib/server/payments/solana/solana-transfer';
import { evmWallet, solanaWallet } from '../payments/paying-wallets';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { startSandboxGateway } from './harness/sandbox-gateway';
import { until } from '@/test/until';

/** How the official clients handle extensions and hints of a 402. */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const TOP_UP = '/api/v1/x402/top-up';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  ({ gateway } = await startSandboxGateway());
}, 120_000);
afterAll(() => gateway?.stop());

const rpc = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' });
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];

interface Wallet extends Pick<Awaited<ReturnType<typeof evmWallet>>, 'address' | 'signIn'> {
  client: x402Client;
}

const walletOn: Readonly<Record<'Base' | 'Solana', () => Promise<Wallet>>> = {
  Base: async () => {
    const wallet = await evmWallet(`${gateway.url}/api/sandbox`);
    return { ...wallet, client: clientOf('eip155:8453', new ExactEvmScheme(wallet.account)) };
  },
  Solana: async () => {
    const wallet = await solanaWallet(`${gateway.url}/api/sandbox`);
    return { ...wallet, client: clientOf(SOLANA, solanaScheme(wallet)) };
  },
};

const clientOf = (network: 'eip155:8453' | typeof SOLANA, client: ExactEvmScheme | ExactSvmScheme) =>
  x402Client.fromConfig({ schemes: [{ network, client }], spendControls: false });
const solanaScheme = ({ signer }: Pick<Awaited<ReturnType<typeof solanaWallet>>, 'signer'>) =>
  new ExactSvmScheme(signer, { rpcUrl: `${gateway.url}/api/sandbox/rpc/solana-mainnet` });

/** Signs a payment for this request with this identifier. */
async function payFor({ client }: Wallet, path: string, body: unknown, id: string): Promise<Record<string, string>> {
  const asked = await send(path, body);
  const http = new x402HTTPClient(client);
  const required = http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
  const before = JSON.stringify(required.extensions);
  appendPaymentIdentifierToExtensions(required.extensions ?? {}, id);
  expect(JSON.stringify(required.extensions)).not.toBe(before);
  const payload = await client.createPaymentPayload(required);
  return { 'payment-signature': String(http.encodePaymentSignatureHeader(payload)['PAYMENT-SIGNATURE']) };
}

async function balanceOf(wallet: Wallet): Promise<number> {
  const { json } = await gateway.ask({
    method: 'GET',
    path: `/api/v1/x402/balance/${wallet.address}`,
    headers: { 'sign-in-with-x': await wallet.signIn(gateway.url) },
  });
  return Math.round((json as { data: { balanceUsd: number } }).data.balanceUsd * 1e9);
}

describe.each(['Base', 'Solana'] as const)('a payment identifier of the official client on %s', (chain) => {
  test('answers a second payment for the same call with the first one: the same bytes and receipt, and nothing taken', async () => {
    const wallet = await walletOn[chain]();
    const [one, other] = [
      await payFor(wallet, RPC, rpc(1), 'order-0000000000001'),
      await payFor(wallet, RPC, rpc(1), 'order-0000000000001'),
    ];
    const first = await send(RPC, rpc(1), one);
    const balance = await balanceOf(wallet);
    const second = await send(RPC, rpc(1), other);
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'));
    expect(await second.text()).toBe(await first.text());
    expect(await balanceOf(wallet)).toBe(balance);
    expect(balance).toBeLessThan(10_000_000);
  });

  test('is 409 with another request, and that payment is not taken', async () => {
    const wallet = await walletOn[chain]();
    const id = 'order-0000000000002';
    expect((await send(RPC, rpc(1), await payFor(wallet, RPC, rpc(1), id))).status).toBe(200);
    const balance = await balanceOf(wallet);
    expect(await codeOf(await send(RPC, rpc(2), await payFor(wallet, RPC, rpc(2), id)))).toEqual([
      409,
      'X402_PAYMENT_ID_REUSED',
    ]);
    expect(await codeOf(await send(TOP_UP, {}, await payFor(wallet, TOP_UP, {}, id)))).toEqual([
      409,
      'X402_PAYMENT_ID_REUSED',
    ]);
    expect(await balanceOf(wallet)).toBe(balance);
  });

  test('makes two top-ups with it one', async () => {
    const wallet = await walletOn[chain]();
    const topUp = async () => {
      const answer = await send(TOP_UP, {}, await payFor(wallet, TOP_UP, {}, 'order-0000000000003'));
      return [answer.status, await answer.json()];
    };
    const first = await topUp();
    expect(first).toMatchObject([200, { success: true }]);
    expect(await topUp()).toEqual(first);
    expect(await balanceOf(wallet)).toBe(5_000_000_000);
  });

  test('that is not valid is 400, and nothing is taken', async () => {
    const wallet = await walletOn[chain]();
    const good = await payFor(wallet, RPC, rpc(1), 'order-0000000000004');
    const payload = JSON.parse(atob(good['payment-signature'] ?? '')) as {
      extensions: Record<string, { info: Record<string, unknown> }>;
    };
    (payload.extensions['payment-identifier'] ?? { info: {} }).info['id'] = 'short';
    const header = Buffer.from(JSON.stringify(payload)).toString('base64');
    const refused = await send(RPC, rpc(1), { 'payment-signature': header });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      {
        code: 'X402_INVALID_PAYMENT',
        message: expect.stringContaining('16 to 128 letters') as string,
        details: { reason: 'invalid_payment_identifier' },
      },
    ]);
    expect(await balanceOf(wallet)).toBe(0);
  });
});

describe('the blockhash of a 402 on Solana', () => {
  test('is in the transaction that the official client signs, and the payment is taken', async () => {
    const wallet = await solanaWallet(`${gateway.url}/api/sandbox`);
    const offered: unknown[] = [];
    const signed: string[] = [];
    await until(async () => {
      const { accepts } = (await (await send(RPC, rpc(1))).json()) as {
        accepts: { network: string; extra: Record<string, unknown> }[];
      };
      return accepts.some(({ network, extra }) => network === SOLANA && 'recentBlockhash' in extra);
    });
    const pay = wrapFetchWithPayment(
      async (input, init) => {
        const request = new Request(input, init);
        const header = request.headers.get('payment-signature');
        if (header !== null)
          signed.push(readSolanaTransfer((JSON.parse(atob(header)) as { payload: unknown }).payload).recentBlockhash);
        const response = await fetch(request);
        if (response.status === 402) {
          const { accepts } = (await response.clone().json()) as {
            accepts: { network: string; extra: Record<string, unknown> }[];
          };
          offered.push(accepts.find(({ network }) => network === SOLANA)?.extra);
        }
        return response;
      },
      clientOf(SOLANA, solanaScheme(wallet)),
    );
    const paid = await pay(`${gateway.url}${RPC}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(rpc(1)),
    });
    expect(paid.status).toBe(200);
    expect(offered).toMatchObject([
      { recentBlockhash: signed[0], lastValidBlockHeight: expect.stringMatching(/^\d+$/) as string },
    ]);
  });
});
