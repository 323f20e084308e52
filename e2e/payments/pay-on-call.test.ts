import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { createWalletClient, http, publicActions } from 'viem';
import { base } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';
import { bundleSandbox, endChildren, startAlone, temporaryFolder } from '@/lib/sandbox/sandbox-under-test';
import { openStage, type Stage } from './payments-stage';
import { evmWallet, solanaWallet } from './paying-wallets';
import { balanceOnChain } from './receiver-balance';

/**
 * Third-party clients pay per call. Each payment is credited once, each call is charged once, and the wallet keeps the
 * rest.
 */

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const CALL_NANO_USD = 20 * 700;
const PAID_NANO_USD = 10_000_000;
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';

let sandboxUrl: string;
beforeAll(async () => {
  ({ url: sandboxUrl } = await startAlone(await bundleSandbox(), temporaryFolder()));
}, 120_000);
afterAll(endChildren);

type Wallet = Awaited<ReturnType<typeof evmWallet>>;

const evmClient = ({ account }: Wallet) =>
  x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
    spendControls: false,
  });
const call = (method: string, id = 1) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id, method, params: [] }),
});

/** Returns the 402 of a call, and the header that pays it. */
async function signed(wallet: Wallet, url: string, init: RequestInit): Promise<{ asked: Response; header: string }> {
  const asked = await fetch(url, init);
  const client = new x402HTTPClient(evmClient(wallet));
  const required = client.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.clone().json());
  const headers = client.encodePaymentSignatureHeader(await client.createPaymentPayload(required));
  return { asked, header: String(headers['PAYMENT-SIGNATURE']) };
}

const paying = (init: ReturnType<typeof call>, header: string) => ({
  ...init,
  headers: { ...init.headers, 'payment-signature': header },
});

async function ledgerOf({ gateway }: Stage): Promise<{ kind: string; amount: number }[]> {
  return gateway.db
    .selectFrom('ledger')
    .select(['kind', 'amount'])
    .where('kind', '!=', 'GRANT')
    .orderBy('id')
    .execute();
}

describe('a call that carries its payment', { timeout: 60_000 }, () => {
  test('is paid by @x402/fetch on Base, and the rest is the wallet’s', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const before = await balanceOnChain(sandboxUrl, 'base');
    const response = await wrapFetchWithPayment(fetch, evmClient(wallet))(`${stage.origin}${RPC}`, call('eth_chainId'));
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x1' }]);
    expect(response.headers.get('x-balance-remaining')).toBe(((PAID_NANO_USD - CALL_NANO_USD) / 1e9).toFixed(6));
    expect(JSON.parse(atob(response.headers.get('payment-response') ?? ''))).toMatchObject({
      success: true,
      network: 'eip155:8453',
      payer: wallet.address,
    });
    expect(await ledgerOf(stage)).toEqual([
      { kind: 'TOP_UP', amount: PAID_NANO_USD },
      { kind: 'CHARGE', amount: -CALL_NANO_USD },
    ]);
    expect((await balanceOnChain(sandboxUrl, 'base')) - before).toBe(10_000n);
  });

  test('is paid by @x402/fetch on Solana', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await solanaWallet(sandboxUrl)];
    const scheme = new ExactSvmScheme(wallet.signer, { rpcUrl: `${sandboxUrl}/solana/solana-mainnet` });
    const client = x402Client.fromConfig({ schemes: [{ network: SOLANA, client: scheme }], spendControls: false });
    const response = await wrapFetchWithPayment(fetch, client)(`${stage.origin}${RPC}`, call('eth_chainId'));
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x1' }]);
    expect(await ledgerOf(stage)).toEqual([
      { kind: 'TOP_UP', amount: PAID_NANO_USD },
      { kind: 'CHARGE', amount: -CALL_NANO_USD },
    ]);
  });

  test('is paid by x402-fetch 1.x, on ?x402Version=1', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const signer = createWalletClient({
      account: wallet.account,
      chain: base,
      transport: http(`${sandboxUrl}/evm/base-mainnet`),
    }).extend(publicActions);
    const response = await wrapFetchV1(
      fetch,
      signer as never,
      100_000n,
    )(`${stage.origin}${RPC}?x402Version=1`, call('eth_chainId'));
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: 1, result: '0x1' }]);
    expect(JSON.parse(atob(response.headers.get('x-payment-response') ?? ''))).toMatchObject({
      success: true,
      network: 'base',
    });
  });

  test('sent again gets the same answer, charged once; with another body, path or to the top-up it pays for nothing', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const url = `${stage.origin}${RPC}`;
    const { header } = await signed(wallet, url, call('eth_blockNumber'));
    const first = await fetch(url, paying(call('eth_blockNumber'), header));
    const again = await fetch(url, paying(call('eth_blockNumber'), header));
    expect([first.status, again.status, await again.text()]).toEqual([200, 200, await first.text()]);
    expect([again.headers.get('idempotent-replayed'), again.headers.get('x-service-rpc-credits')]).toEqual([
      'true',
      '0',
    ]);

    for (const other of [
      fetch(url, paying(call('eth_blockNumber', 2), header)),
      fetch(`${stage.origin}/api/v1/crypto/rpc/base-mainnet`, paying(call('eth_blockNumber'), header)),
    ]) {
      const refused = await other;
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([402, 'X402_PAYMENT_USED']);
    }
    const asTopUp = await fetch(`${stage.origin}/api/v1/x402/top-up`, {
      method: 'POST',
      headers: { 'payment-signature': header },
    });
    expect(await asTopUp.json()).toMatchObject({ success: true, data: { amountCredited: PAID_NANO_USD / 1e9 } });
    expect(await ledgerOf(stage)).toEqual([
      { kind: 'TOP_UP', amount: PAID_NANO_USD },
      { kind: 'CHARGE', amount: -CALL_NANO_USD },
    ]);
  });
});
