import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { createWalletClient, http, publicActions } from 'viem';
import { base } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPaymentHeader } from 'x402/client';
import { PaymentRequirementsSchema } from 'x402/types';
import { wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';
import { bundleSandbox, endChildren, startAlone, temporaryFolder } from '@/lib/sandbox/sandbox-under-test';
import { draftEvmPayment, followPayment, readPaymentOptions, signedEvmPayment, signSolanaPayment } from '@/lib/client';
import { balanceOnChain } from './receiver-balance';
import { evmWallet, solanaWallet, type SignIn } from './paying-wallets';
import { openStage, type Stage } from './payments-stage';

/**
 * Third-party clients, unchanged except for their spend controls, pay real stand-in chains. Payments, the receiver's
 * balance, the wallet's balance, the transactions and the next paid call match to the last unit.
 */

const AMOUNTS = ['5', '10', '12.50'] as const;
const CALL_COST = 20 * 700;
const USD = 1_000_000_000;

let sandboxUrl: string;
beforeAll(async () => {
  ({ url: sandboxUrl } = await startAlone(await bundleSandbox(), temporaryFolder()));
}, 120_000);
afterAll(endChildren);

type Pay = (amountUsd: string) => Promise<Response>;

interface Transactions {
  currentBalance: number;
  transactions: { amount: number; balanceAfter: number; type: string; requestId: string }[];
  pagination: { hasMore: boolean };
}

/** Pays the three amounts, makes one paid call, and checks that all sums match. */
async function expectTopUps(
  stage: Stage,
  wallet: { address: string; signIn: SignIn },
  network: 'base' | 'solana',
  pay: Pay,
): Promise<void> {
  const before = await balanceOnChain(sandboxUrl, network);
  let total = 0;
  const ids: string[] = [];
  for (const amount of AMOUNTS) {
    const response = await pay(amount);
    const body = (await response.json()) as {
      success: boolean;
      data: { amountCredited: number; newBalance: number; walletAddress: string; paymentId: string };
    };
    expect(response.status, JSON.stringify(body)).toBe(200);
    total += Number(amount);
    expect(body).toMatchObject({
      success: true,
      data: { amountCredited: Number(amount), newBalance: total, walletAddress: wallet.address },
    });
    const receipt = JSON.parse(
      Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString(),
    ) as object;
    expect(receipt).toMatchObject({
      success: true,
      payer: wallet.address,
      network: expect.stringMatching(network === 'base' ? /^eip155:8453$/ : /^solana:/),
      transaction: expect.stringMatching(/^(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/),
    });
    ids.unshift(body.data.paymentId);
  }
  expect((await balanceOnChain(sandboxUrl, network)) - before).toBe(27_500_000n);

  const signedIn = { 'sign-in-with-x': await wallet.signIn('http://localhost:3000') };
  const call = await fetch(`${stage.origin}/api/v1/crypto/rpc/ethereum-mainnet`, {
    method: 'POST',
    headers: { ...signedIn, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
  });
  expect(call.status).toBe(200);
  const left = (total * USD - CALL_COST) / USD;
  expect(call.headers.get('x-balance-remaining')).toBe(left.toFixed(6));

  const read = async (path: string): Promise<unknown> =>
    (
      (await (await fetch(`${stage.origin}/api/v1/x402/${path}/${wallet.address}`, { headers: signedIn })).json()) as {
        data: unknown;
      }
    ).data;
  expect(await read('balance')).toMatchObject({
    walletAddress: wallet.address,
    balanceUsd: left,
    canConsume: true,
    minimumTopUpUsd: 5,
    suggestedTopUpUsd: 10,
  });
  const { currentBalance, transactions, pagination } = (await read('transactions')) as Transactions;
  expect(currentBalance).toBe(left);
  expect(pagination.hasMore).toBe(false);
  expect(transactions.map(({ type, amount }) => `${type} ${amount}`)).toEqual([
    `CHARGE ${-CALL_COST / USD}`,
    'TOP_UP 12.5',
    'TOP_UP 10',
    'TOP_UP 5',
  ]);
  expect(transactions.map(({ balanceAfter }) => balanceAfter)).toEqual([left, 27.5, 15, 5]);
  expect(transactions.slice(1).map(({ requestId }) => requestId)).toEqual(ids);
}

const topUpUrl = (stage: Stage, query: string): string => `${stage.origin}/api/v1/x402/top-up?${query}`;

describe('official clients', { timeout: 60_000 }, () => {
  test('@x402/fetch with @x402/evm', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const client = x402Client.fromConfig({
      schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(wallet.account) }],
      spendControls: false,
    });
    const pay = wrapFetchWithPayment(fetch, client);
    await expectTopUps(stage, wallet, 'base', (amount) =>
      pay(topUpUrl(stage, `amountUsd=${amount}`), { method: 'POST' }),
    );
  });

  test('@x402/fetch with @x402/svm', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await solanaWallet(sandboxUrl)];
    const scheme = new ExactSvmScheme(wallet.signer, { rpcUrl: `${sandboxUrl}/solana/solana-mainnet` });
    const client = x402Client.fromConfig({
      schemes: [{ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', client: scheme }],
      spendControls: false,
    });
    const pay = wrapFetchWithPayment(fetch, client);
    await expectTopUps(stage, wallet, 'solana', (amount) =>
      pay(topUpUrl(stage, `amountUsd=${amount}`), { method: 'POST' }),
    );
  });

  test('x402-fetch 1.x, on ?x402Version=1', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const signer = createWalletClient({
      account: wallet.account,
      chain: base,
      transport: http(`${sandboxUrl}/evm/base-mainnet`),
    }).extend(publicActions);
    const pay = wrapFetchV1(fetch, signer as never, 1_000_000_000n);
    await expectTopUps(stage, wallet, 'base', (amount) =>
      pay(topUpUrl(stage, `x402Version=1&amountUsd=${amount}`), { method: 'POST' }),
    );
  });

  test('createPaymentHeader of x402 1.x, under X-402-Payment, with an amount of its own', async () => {
    const [stage, wallet] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    await expectTopUps(stage, wallet, 'base', async (amount) => {
      const asked = (await (await fetch(topUpUrl(stage, 'x402Version=1'), { method: 'POST' })).json()) as {
        x402Version: number;
        accepts: Record<string, unknown>[];
      };
      const requirement = PaymentRequirementsSchema.parse({
        ...asked.accepts[0],
        maxAmountRequired: String(Number(amount) * 1e6),
      });
      const header = await createPaymentHeader(wallet.account as never, asked.x402Version, requirement);
      return fetch(topUpUrl(stage, ''), { method: 'POST', headers: { 'x-402-payment': header } });
    });
  });
});

describe('our own client', { timeout: 60_000 }, () => {
  test('drafts, signs and follows a payment of an EVM wallet, and takes it up again', async () => {
    const [stage, { account, address }] = [await openStage(sandboxUrl), await evmWallet(sandboxUrl)];
    const gateway = { baseUrl: stage.origin };
    const [accepted] = await readPaymentOptions(gateway, '7.25');
    if (!accepted) throw new Error('nothing is accepted');
    const draft = draftEvmPayment(accepted, account.address);
    const payment = signedEvmPayment(draft, await account.signTypedData(draft.typedData));
    const outcome = await followPayment(gateway, payment);
    expect(outcome).toMatchObject({
      state: 'credited',
      amountCreditedUsd: 7.25,
      newBalanceUsd: 7.25,
      walletAddress: address,
      network: 'eip155:8453',
    });
    expect(await followPayment(gateway, payment)).toEqual(outcome);
  });

  test('has a Solana wallet sign by its wire form', async () => {
    const [stage, { signer, address }] = [await openStage(sandboxUrl), await solanaWallet(sandboxUrl)];
    const gateway = { baseUrl: stage.origin };
    const accepted = (await readPaymentOptions(gateway)).find(({ network }) => network.startsWith('solana:'));
    if (!accepted) throw new Error('Solana is not accepted');
    const { getTransactionDecoder, getTransactionEncoder } = await import('@solana/kit');
    const signTransaction = async (wire: Uint8Array): Promise<Uint8Array> => {
      const transaction = getTransactionDecoder().decode(wire);
      const [signatures] = await signer.signTransactions([transaction as never]);
      return new Uint8Array(
        getTransactionEncoder().encode({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
      );
    };
    const payment = await signSolanaPayment(
      accepted,
      { address, signTransaction },
      `${sandboxUrl}/solana/solana-mainnet`,
    );
    expect(await followPayment(gateway, payment)).toMatchObject({
      state: 'credited',
      amountCreditedUsd: 5,
      walletAddress: address,
    });
  });
});

describe('many at once', { timeout: 120_000 }, () => {
  test('50 top-ups from 10 wallets, each sent twice in parallel, are credited once each', async () => {
    const stage = await openStage(sandboxUrl);
    const gateway = { baseUrl: stage.origin };
    const before = await balanceOnChain(sandboxUrl, 'base');
    const wallets = await Promise.all(Array.from({ length: 10 }, () => evmWallet(sandboxUrl)));
    const [accepted] = await readPaymentOptions(gateway);
    if (!accepted) throw new Error('nothing is accepted');
    const payments = await Promise.all(
      wallets.flatMap(({ account }) =>
        Array.from({ length: 5 }, async () => {
          const draft = draftEvmPayment(accepted, account.address);
          return signedEvmPayment(draft, await account.signTypedData(draft.typedData));
        }),
      ),
    );
    const outcomes = await Promise.all(
      payments.flatMap((payment) => [followPayment(gateway, payment), followPayment(gateway, payment)]),
    );
    expect(outcomes.map(({ state }) => state)).toEqual(Array(100).fill('credited'));
    expect(new Set(outcomes.map(({ paymentId }) => paymentId)).size).toBe(50);
    expect((await balanceOnChain(sandboxUrl, 'base')) - before).toBe(250_000_000n);
    const rows = await stage.gateway.db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
    expect(rows.map(({ amount }) => amount)).toEqual(Array(50).fill(5 * USD));
  });
});
