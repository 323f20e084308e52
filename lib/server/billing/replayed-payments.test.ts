import { expect, it, onTestFinished } from 'vitest';
import { InvalidPayment } from '@/lib/protocol/x402/presented-payment';
import { ScriptedRail } from '@/test/scripted-rail';
import { gatewayOfFile, serve } from '@/test/test-gateway';
import { rpcProxy } from '../api/crypto/rpc/proxy';
import { topUp } from '../api/x402/top-up';
import { ContractChecks } from '../auth/contract-checks';
import { PaymentChallenge } from '../auth/payment-challenge';
import { signInRules } from '../auth/sign-in-rules';
import { findWalletAccount } from '../db/wallets';
import { HeldMemory } from '../http/held-memory/held-memory';
import { nodeListener } from '../http/node-adapter';
import { AddressLimiter } from '../http/rate-limit/address-limiter';
import { Router } from '../http/router';
import { PaymentsForCalls } from '../payments/call-payments';
import { Payments } from '../payments/payments';
import { RailList } from '../payments/rail-list';
import { ChargeTally } from './billing-metrics';
import { PaidCalls } from './paid-calls';
import { ReceiptNotes, receiptOf } from './receipts/receipt-notes';
import { readBalance } from './usage/read-balance';

const RPC = {
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBalance',
  params: ['0x0000000000000000000000000000000000000000', 'latest'],
};

/** Opens a gateway whose calls cost 0.001 USD, with a scripted rail for payments. Its node answers, or breaks off. */
async function openGateway({
  limits = {},
  refusalsPerMinute = 100,
}: { limits?: object; refusalsPerMinute?: number } = {}) {
  const node = { breaks: false };
  const upstream = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (node.breaks) return void response.destroy();
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(text) as { id: unknown }).id, result: '0x1' }));
    });
  });
  const networks = { 'base-mainnet': { upstreams: [upstream.origin], chainIdentity: false } };
  const gateway = await gatewayOfFile({
    limits,
    pricePerCreditUsd: '0.00005',
    networks,
    rpc: { healthChecks: { intervalMs: 0 } },
  });
  const { db, auth, meter, openCalls, allocations, log } = gateway;
  const rail = new ScriptedRail();
  const contractChecks = new ContractChecks({ perMinute: 30, hasAccount: () => Promise.resolve(true), now: Date.now });
  const payments = new Payments(new RailList([rail], 5, 10), {
    db,
    log,
    exclusive: true,
    now: Date.now,
    contractChecks,
    resumeIntervalMs: 3_600_000,
  });
  onTestFinished(() => payments.close());
  const callPayments = new PaymentsForCalls({
    payments,
    minimumNanoUsd: 0,
    refusals: new AddressLimiter(refusalsPerMinute),
  });
  const rules = signInRules({ publicUrls: [], port: 1, chainIds: [] }, 'http://gateway.test');
  const challenge = new PaymentChallenge({
    rules,
    offer: payments.rails,
    perCallMinimumNanoUsd: 0,
    soldAt: () => null,
    now: Date.now,
  });
  const memory = new HeldMemory(gateway.config.memory);
  onTestFinished(() => memory.close());
  const paidCalls = new PaidCalls({
    auth,
    meter,
    openCalls,
    charges: new ChargeTally(),
    allocations,
    challenge,
    callPayments,
    memory,
    receipts: new ReceiptNotes({ db, origin: 'http://gateway.test', perAccountMax: 10, now: Date.now, log }),
    keptAnswerBytesMax: 1_000_000,
    balanceOf: (id) => readBalance(db, id, Date.now()),
    now: Date.now,
    log,
  });
  const router = new Router([
    rpcProxy({ paidCalls, networks: gateway.networks, pricePerCreditNanoUsd: 50_000, requestBytesMax: 1_000_000, log }),
    topUp({ payments, rails: payments.rails, rules, addressLimiter: new AddressLimiter(100), realm: 'test' }),
  ]);
  const { origin } = await serve(nodeListener({ ...gateway, router }));
  const call = async (header: string, body: object = RPC, more: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/api/v1/crypto/rpc/base-mainnet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-payment': header, ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    gateway,
    rail,
    node,
    call,
    topUp: (header: string) => payments.receive(header),
    topUpAnswer: async (header: string) => {
      const response = await fetch(`${origin}/api/v1/x402/top-up`, {
        method: 'POST',
        headers: { 'x-payment': header },
      });
      return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } };
    },
    accountId: () => findWalletAccount(db, rail.payer),
  };
}

it('an answer that is given again for its payment says nothing that is not public: no balance, and of the receipt what the chain has', async () => {
  const { rail, call } = await openGateway();
  const header = rail.header({ nonce: 'one', units: 10_000n });
  const first = await call(header);
  expect([first.status, first.headers.get('x-balance-remaining'), first.headers.get('idempotent-replayed')]).toEqual([
    200,
    '0.009000',
    null,
  ]);
  const again = await call(header);
  expect([
    again.status,
    again.text,
    again.headers.get('x-balance-remaining'),
    again.headers.get('idempotent-replayed'),
  ]).toEqual([200, first.text, null, 'true']);
  expect(JSON.parse(Buffer.from(again.headers.get('payment-response') ?? '', 'base64').toString())).toEqual({
    success: true,
    network: 'eip155:1',
    payer: rail.payer,
    transaction: 'tx-one',
  });
});

it('the payment of a call, presented as a top-up, tells what was credited and no balance', async () => {
  const { rail, call, topUpAnswer } = await openGateway();
  const topped = await topUpAnswer(rail.header({ nonce: 'own', units: 5_000_000n }));
  expect([topped.status, topped.body.data['newBalance']]).toEqual([200, 5]);
  const header = rail.header({ nonce: 'one', units: 10_000n });
  expect((await call(header)).status).toBe(200);
  const { status, body } = await topUpAnswer(header);
  expect(status).toBe(200);
  expect(Object.keys(body.data)).toEqual(['walletAddress', 'amountCredited', 'paymentId']);
});

it('several requests at once with one payment are told the balance once at most', async () => {
  const { rail, call } = await openGateway();
  const header = rail.header({ nonce: 'one', units: 10_000n });
  const answers = await Promise.all(Array.from({ length: 10 }, () => call(header)));
  expect(answers.filter(({ headers }) => headers.get('x-balance-remaining') !== null).length).toBeLessThanOrEqual(1);
});

it('a call that failed is made again for its payment, once, and says nothing of the balance', async () => {
  const { rail, call, node, gateway, accountId } = await openGateway();
  const header = rail.header({ nonce: 'one', units: 10_000n });
  node.breaks = true;
  expect((await call(header)).status).toBe(500);
  node.breaks = false;
  for (const replayed of [null, 'true']) {
    const answer = await call(header);
    expect([
      answer.status,
      answer.headers.get('x-balance-remaining'),
      answer.headers.get('idempotent-replayed'),
    ]).toEqual([200, null, replayed]);
  }
  const { pots } = await readBalance(gateway.db, (await accountId()) as number, Date.now());
  expect(pots.x402).toBe(9_000_000);
});

it('a wallet that has spent its payment otherwise is asked to pay, without its balance', async () => {
  const { rail, call, node, gateway, accountId } = await openGateway();
  const header = rail.header({ nonce: 'one', units: 10_000n });
  node.breaks = true;
  await call(header);
  const caller = { accountId: (await accountId()) as number, apiKeyId: null, purse: 'x402' } as const;
  await gateway.meter.reserve({
    caller,
    keyHash: null,
    maxNanoUsd: 9_500_000,
    maxCredits: 0,
    uncapped: true,
    idempotency: null,
    now: Date.now(),
  });
  const refused = await call(header);
  expect(refused.status).toBe(402);
  expect(refused.text).not.toMatch(/0\.0005|balance"|currentBalance/i);
});

it('a payment that was recorded before takes nothing of its payer’s minute', async () => {
  const caps = { standard: 2, paid: 2, staff: 2 };
  const { rail, call } = await openGateway({ limits: { rpcRequestsPerMinute: caps } });
  const header = rail.header({ nonce: 'one', units: 10_000n });
  for (let round = 0; round < 6; round++) expect((await call(header)).status).toBe(200);
  expect((await call(rail.header({ nonce: 'two', units: 10_000n }))).status).toBe(200);
});

it('a stranger who tries bodies for a payment of another is refused after so many', async () => {
  const { rail, call } = await openGateway({ refusalsPerMinute: 6 });
  const header = rail.header({ nonce: 'one', units: 10_000n });
  expect((await call(header)).status).toBe(200);
  const statuses: number[] = [];
  for (let id = 2; id < 10; id++) statuses.push((await call(header, { ...RPC, id })).status);
  expect(statuses).toEqual([402, 402, 402, 402, 402, 402, 429, 429]);
});

it('a payment that its wallet is not known to have signed tells nothing of what that wallet has', async () => {
  const { rail, call } = await openGateway();
  expect((await call(rail.header({ nonce: 'one', units: 10_000_000n }))).status).toBe(200);
  rail.isProven = () => false;
  const small = await call(rail.header({ nonce: 'two', units: 10n }));
  expect([small.status, small.text.includes('payment_too_small')]).toEqual([402, true]);
});

it('a payment that was executed before it was presented buys no call, and is credited to its wallet as a top-up', async () => {
  const { rail, call, gateway, accountId, topUp } = await openGateway();
  rail.execute('one', 5_000_000n);
  rail.verdict = new InvalidPayment('authorization_used', 'The authorization was used.');
  const header = rail.header({ nonce: 'one', units: 5_000_000n });
  expect([(await call(header)).status, await accountId()]).toEqual([402, null]);
  expect(await topUp(header)).toMatchObject({ state: 'credited' });
  expect((await readBalance(gateway.db, (await accountId()) as number, Date.now())).pots.x402).toBe(5_000_000_000);
});

it('a receipt names the payment that came with the call, and a repeated payment makes no further one', async () => {
  const { rail, call, gateway } = await openGateway();
  const header = rail.header({ nonce: 'one', units: 10_000n });
  const asking = { 'x-receipt': 'true' };
  const id = (await call(header, RPC, asking)).headers.get('x-receipt')?.split('/').at(-1);
  expect((await call(header, RPC, asking)).headers.get('x-receipt')).toBeNull();
  const rows = await gateway.db.selectFrom('receipts').selectAll().execute();
  expect(rows.map((row) => row.request_id)).toEqual([id]);
  for (const row of rows)
    expect(await receiptOf(gateway.db, row)).toMatchObject({
      network: 'eip155:1',
      payer: rail.payer,
      transaction: 'tx-one',
      offer: { maximumNanoUsd: 1_000_000, payment: { scheme: 'exact', network: 'eip155:1', amount: '10000' } },
      charge: { nanoUsd: 1_000_000, isReplay: false },
    });
});
