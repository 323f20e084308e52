import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SeededRandom } from '@/lib/protocol/testing/seeded-random';
import { sandboxRails } from '@/lib/sandbox/payment-rails';
import { bundleSandbox, endChildren, startAlone, temporaryFolder } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import {
  memo,
  messageBytes,
  paymentHeader,
  PROGRAMS,
  testAddress,
  transferChecked,
  unitLimit,
  unitPrice,
  wireOf,
} from '@/test/solana-messages';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { openStage, type Stage } from './payments-stage';
import { balanceOnChain } from './receiver-balance';
import {
  move,
  richKey,
  RECEIVER,
  SharedFacilitator,
  signedWire,
  SOLANA,
  solana,
  type ShopPayment,
  tokensOf,
} from './shared-facilitator';
import { stageKeys } from './stage-gateway';

/**
 * Guarantee: credits equal the gain of the receiver's token account on the Solana stand-in, to the unit and only once.
 * This holds even if others use the same fee payer, fill account histories, or lie.
 */

const PATIENCE_MS = 90_000;
const UNITS_TO_NANO = 1_000n;

let sandboxUrl: string;
beforeAll(async () => {
  ({ url: sandboxUrl } = await startAlone(await bundleSandbox(), temporaryFolder()));
}, 120_000);
afterAll(endChildren);

const header = (wire: string, amount = 50_000_000n): string =>
  paymentHeader(wire, {
    scheme: 'exact',
    network: SOLANA,
    asset: SANDBOX_USDC_MINT,
    payTo: RECEIVER,
    amount: amount.toString(),
  });

async function present(
  stage: Stage,
  wire: string,
  amount = 5_000_000n,
): Promise<{ status: number; body: { details?: { reason: string }; code?: string } }> {
  const response = await fetch(`${stage.origin}/api/v1/x402/top-up`, {
    method: 'POST',
    headers: { 'payment-signature': header(wire, amount) },
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** Presents the payment until the gateway has decided. */
async function decided(stage: Stage, wire: string): Promise<number> {
  for (let round = 0; round < 40; round++) {
    const { status } = await present(stage, wire);
    if (status !== 503) return status;
    await sleep(100);
  }
  return 503;
}

async function creditedNano({ gateway }: Stage): Promise<bigint> {
  const rows = await gateway.db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
  expect((await checkLedger(gateway.db)).faults).toEqual([]);
  return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** Returns how much a transaction changed the receiver's balance; negative for a loss. */
async function gainOfReceiver(signature: string): Promise<bigint> {
  const { meta } = await solana<{
    meta: Record<'preTokenBalances' | 'postTokenBalances', { owner: string; uiTokenAmount: { amount: string } }[]>;
  }>(sandboxUrl, 'getTransaction', [
    signature,
    { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
  ]);
  const held = (balances: typeof meta.preTokenBalances): bigint =>
    balances.reduce(
      (sum, { owner, uiTokenAmount }) => (owner === RECEIVER ? sum + BigInt(uiTokenAmount.amount) : sum),
      0n,
    );
  return held(meta.postTokenBalances) - held(meta.preTokenBalances);
}

/** A stage whose receiver already has a token account, as after any payment. */
async function openShop(facilitator: SharedFacilitator): Promise<Stage> {
  const stage = await openStage(sandboxUrl, { payments: facilitator.payments, answerWithinMs: 1_500 });
  for (let round = 0; round < 100; round++) {
    const { accepts } = (await (await fetch(`${stage.origin}/api/v1/x402/top-up`, { method: 'POST' })).json()) as {
      accepts: unknown[];
    };
    if (accepts.length > 0) break;
    await sleep(50);
  }
  const payer = await richKey(sandboxUrl);
  expect(
    await decided(stage, await signedWire(sandboxUrl, { payer, feePayer: facilitator.key.address, units: 5_000_000n })),
  ).toBe(200);
  await stage.gateway.db.selectFrom('ledger').select('amount').execute();
  return stage;
}

describe('a transfer to somebody else that another shop has executed', { timeout: PATIENCE_MS }, () => {
  test.each<[string, (payment: ShopPayment, friend: string, feePayer: string) => ShopPayment]>([
    ['to a friend', (payment, friend) => ({ ...payment, transfer: { destination: tokensOf(friend) } })],
    ['to oneself', (payment) => ({ ...payment, transfer: { destination: tokensOf(payment.payer.address) } })],
    ['to the fee payer', (payment, _, feePayer) => ({ ...payment, transfer: { destination: tokensOf(feePayer) } })],
    [
      '90 to oneself, then 5 to the receiver',
      (payment) => ({
        ...payment,
        instructions: [
          unitLimit(60_000),
          unitPrice(),
          move({ ...payment, units: 90_000_000n, transfer: { destination: tokensOf(payment.payer.address) } }),
          move({ ...payment, units: 5_000_000n }),
        ],
      }),
    ],
  ])('%s: is 400 before and after, and credits nothing', async (_, change) => {
    const facilitator = await SharedFacilitator.open(sandboxUrl);
    const stage = await openShop(facilitator);
    const [payer, friend] = [await richKey(sandboxUrl), await richKey(sandboxUrl)];
    const wire = await signedWire(
      sandboxUrl,
      change({ payer, feePayer: facilitator.key.address }, friend.address, facilitator.key.address),
    );
    const before = await creditedNano(stage);
    expect((await present(stage, wire)).status).toBe(400);
    const signature = await facilitator.execute(wire);
    const { value } = await solana<{ value: { err: unknown }[] }>(sandboxUrl, 'getSignatureStatuses', [[signature]]);
    expect(value[0]?.err, 'it was executed').toBeNull();
    for (let round = 0; round < 3; round++) expect((await present(stage, wire)).status).toBe(400);
    expect(await creditedNano(stage)).toBe(before);
  });
});

describe("the fee payer's key in this process", { timeout: PATIENCE_MS }, () => {
  /** Proxy in front of the stand-ins. It records all requests. */
  async function recorded(): Promise<{ url: string; heard: string[] }> {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      void (async () => {
        const body = await buffer(request);
        heard.push(body.toString());
        const answer = await fetch(`${sandboxUrl}${request.url ?? ''}`, {
          method: request.method ?? 'GET',
          headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
          ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
        });
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(Buffer.from(await answer.arrayBuffer()));
      })().catch(() => response.writeHead(502).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
  }

  test('signs nothing for a stranger: no node hears of the payment or of a signature', async () => {
    const door = await recorded();
    const rails = sandboxRails(stageKeys).filter(({ family }) => family === 'solana');
    const stage = await openStage(door.url, { payments: { rails } });
    const { accepts } = (await (await fetch(`${stage.origin}/api/v1/x402/top-up`, { method: 'POST' })).json()) as {
      accepts: { extra: { feePayer: string } }[];
    };
    const feePayer = accepts[0]?.extra.feePayer ?? '';
    const payer = await richKey(sandboxUrl);
    const oneSol = {
      program: PROGRAMS.system,
      accounts: [feePayer, payer.address],
      data: Buffer.from('0200000000ca9a3b00000000', 'hex'),
    };
    const right = move({ payer, feePayer });
    const { value } = await solana<{ value: { blockhash: string } }>(sandboxUrl, 'getLatestBlockhash', []);
    for (const instructions of [
      [oneSol],
      [unitLimit(), unitPrice(), oneSol],
      [unitLimit(), unitPrice(), right, oneSol],
      [oneSol, unitLimit(), unitPrice(), right],
    ]) {
      door.heard.length = 0;
      const bytes = messageBytes({ feePayer, signers: [payer.address], instructions, blockhash: value.blockhash });
      const { status } = await present(stage, wireOf(bytes, [null, payer.sign(bytes)]));
      expect(status).toBe(400);
      // A health check of the node can come at any time.
      expect(door.heard.filter((text) => !text.includes('"getSlot"'))).toEqual([]);
    }
  });
});

describe('a top-up that the facilitator executed and denied', { timeout: PATIENCE_MS }, () => {
  test("is credited, though 115 strangers' transactions hit the payer's account after it", async () => {
    const stranger = await richKey(sandboxUrl);
    const facilitator = await SharedFacilitator.open(sandboxUrl, async (wire, self) => {
      await self.execute(wire);
      const payersAccount = tokensOf(payer.address);
      if (isDusting)
        for (let index = 0; index < 115; index++) {
          const { value } = await solana<{ value: { blockhash: string } }>(sandboxUrl, 'getLatestBlockhash', []);
          const dust = transferChecked({
            source: tokensOf(stranger.address),
            mint: SANDBOX_USDC_MINT,
            destination: payersAccount,
            authority: stranger.address,
            units: 1n,
          });
          const bytes = messageBytes({
            feePayer: stranger.address,
            signers: [],
            instructions: [dust, memo(`dust ${index}`)],
            blockhash: value.blockhash,
            version: 'legacy',
          });
          await solana(sandboxUrl, 'sendTransaction', [
            wireOf(bytes, [stranger.sign(bytes)]),
            { encoding: 'base64', skipPreflight: true },
          ]);
        }
      return { success: false, errorReason: 'transaction_failed' };
    });
    let isDusting = false;
    const payer = await richKey(sandboxUrl);
    const stage = await openShop(facilitator);
    isDusting = true;
    const [credited, received] = [await creditedNano(stage), await balanceOnChain(sandboxUrl, 'solana')];
    const wire = await signedWire(sandboxUrl, { payer, feePayer: facilitator.key.address });
    expect(await decided(stage, wire)).toBe(200);
    // The gateway decides without waiting for a slow facilitator.
    const history = async () =>
      (await solana<unknown[]>(sandboxUrl, 'getSignaturesForAddress', [tokensOf(payer.address)])).length;
    await expect.poll(history, { timeout: PATIENCE_MS / 2 }).toBeGreaterThan(115);
    expect((await creditedNano(stage)) - credited).toBe(
      ((await balanceOnChain(sandboxUrl, 'solana')) - received) * UNITS_TO_NANO,
    );
  });
});

describe('random top-ups, valid and hostile, with a facilitator that lies', { timeout: 4 * PATIENCE_MS }, () => {
  const ROUNDS = 60;

  test('are credited with what the receiver gained, to the unit, and once', async () => {
    const random = new SeededRandom(20_261);
    let stranger = '';
    const facilitator = await SharedFacilitator.open(sandboxUrl, async (wire, self) => {
      const executes = random.chance(0.8);
      const signature = executes ? await self.execute(wire) : '';
      return random.pick([
        { success: true, transaction: signature },
        { success: false, errorReason: 'transaction_failed' },
        { success: executes, transaction: stranger },
      ]);
    });
    const stage = await openShop(facilitator);
    const [payers, friend] = [
      await Promise.all(Array.from({ length: 6 }, () => richKey(sandboxUrl))),
      await richKey(sandboxUrl),
    ];
    const feePayer = facilitator.key.address;
    const startedWith = { credited: await creditedNano(stage), received: await balanceOnChain(sandboxUrl, 'solana') };
    // Transfers to the receiver that are not payments give no credit. They are identified by signature, because two
    // rounds in one slot may build the same transaction, which the chain executes only once.
    const given = new Map<string, bigint>();
    const presented: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const payer = random.pick(payers);
      const units = BigInt(random.integer(5_000_000, 9_999_999));
      const right = { payer, feePayer, units };
      const executable: ShopPayment[] = [
        { ...right, transfer: { destination: tokensOf(friend.address) } },
        { ...right, transfer: { destination: tokensOf(payer.address) } },
        {
          ...right,
          instructions: [
            unitLimit(60_000),
            unitPrice(),
            move({ ...right, transfer: { destination: tokensOf(friend.address) } }),
            move({ ...right, units: 1_000_000n }),
          ],
        },
        {
          ...right,
          instructions: [
            unitLimit(60_000),
            unitPrice(),
            move({ ...right, units: 1_000_000n }),
            move({ ...right, units: 1_000_000n }),
          ],
        },
      ];
      const broken: ShopPayment[] = [
        { ...right, transfer: { program: PROGRAMS.token2022 } },
        { ...right, transfer: { mint: testAddress(3) } },
        { ...right, units: 1_000_000_000n },
        { ...right, message: { signers: [payer.address, friend.address] } },
      ];
      const isHostile = random.chance(0.5);
      const wire = await signedWire(
        sandboxUrl,
        isHostile ? random.pick(random.chance(0.6) ? executable : broken) : right,
      );
      if (random.chance(isHostile ? 0.7 : 0.3)) {
        const signature = await facilitator.execute(wire).catch(() => '');
        // Counts only this transaction, because the gateway may execute an earlier payment at the same time.
        if (isHostile && signature !== '') given.set(signature, await gainOfReceiver(signature));
        if (signature !== '') stranger = signature;
      }
      const times = random.integer(1, 3);
      const answers = await Promise.all(Array.from({ length: times }, () => present(stage, wire)));
      if (!isHostile) presented.push(wire);
      // A payment that failed on chain is open at first. It is refused when the gateway sees the failure.
      else
        expect(
          await Promise.all(answers.map(({ status }) => (status === 503 ? decided(stage, wire) : status))),
        ).toEqual(answers.map(() => 400));
    }
    // A payment that the facilitator did not execute may still be executed, so the chain decides.
    await Promise.all(presented.map((wire) => facilitator.execute(wire).catch(() => '')));
    for (const wire of presented) await decided(stage, wire);
    const gained = (await balanceOnChain(sandboxUrl, 'solana')) - startedWith.received;
    const paid = gained - [...given.values()].reduce((sum, units) => sum + units, 0n);
    expect((await creditedNano(stage)) - startedWith.credited).toBe(paid * UNITS_TO_NANO);
    expect(paid).toBeGreaterThan(0n);
  });
});
