import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentPayload, PaymentRequirements as CoreRequirements } from '@x402/core/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  draftEvmPayment,
  type PaymentRequirements,
  readPaymentOptions,
  signedEvmPayment,
  signSolanaPayment,
  type SignedPayment,
} from '@/lib/client';
import { sandboxRails } from '@/lib/sandbox/payment-rails';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { bundleStage, KillableStage } from './killable-stage';
import { type Lie, LIES, LyingFacilitator } from './lying-facilitator';
import { evmWallet, solanaWallet } from './paying-wallets';
import { balanceOnChain } from './receiver-balance';
import { stageKeys } from './stage-gateway';

/**
 * Random top-ups on both rails, settled alternately by the gateway and by a lying facilitator, with hostile payloads in
 * between. The gateway is killed repeatedly. In the end, credits equal the receivers' gains on chain, to the unit.
 * X402_TOP_UPS is the number of top-ups; 1000 take about ten minutes.
 */

const TOP_UPS = Number(process.env.X402_TOP_UPS ?? '40');
/** Number of top-ups between two kills. */
const AT_ONCE = 8;
const PATIENCE_MS = 120_000 + TOP_UPS * 4_000;
/** The faucet gives a wallet 100 USDC. */
const PAYMENTS_OF_WALLET = 5;
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** What an honest or dishonest payer does with one payment. */
const WAYS = [
  'pays',
  'pays',
  'pays',
  'sends it many times at once',
  'sends it with another value too',
  'has it executed elsewhere before',
  'has it executed elsewhere while it is presented',
  'pays a friend and presents that',
  'pays itself and presents that',
  'presents what a friend was paid as if it were for us',
  'sends noise',
] as const;

type Way = (typeof WAYS)[number];

let sandboxBundle: string;
let stageBundle: string;
beforeAll(async () => {
  [sandboxBundle, stageBundle] = await Promise.all([bundleSandbox(), bundleStage()]);
}, 120_000);
afterAll(endChildren);

interface Envelope {
  x402Version: number;
  accepted: PaymentRequirements;
  payload: Record<string, unknown> & { authorization?: Record<string, string> };
}

const open = (payment: SignedPayment): Envelope => JSON.parse(Buffer.from(payment, 'base64').toString()) as Envelope;
const close = (envelope: Envelope): SignedPayment => Buffer.from(JSON.stringify(envelope)).toString('base64');

/** Uses wallets in turn, each for a few payments. @returns a function that signs a payment for given terms */
class Payers {
  #evm: Awaited<ReturnType<typeof evmWallet>> | null = null;
  #solana: Awaited<ReturnType<typeof solanaWallet>> | null = null;
  #made = 0;

  constructor(private readonly sandboxUrl: string) {}

  async sign(accepted: PaymentRequirements, payTo: string | 'self'): Promise<SignedPayment> {
    if (this.#made++ % PAYMENTS_OF_WALLET === 0)
      [this.#evm, this.#solana] = await Promise.all([evmWallet(this.sandboxUrl), solanaWallet(this.sandboxUrl)]);
    const [evm, solana] = [this.#evm, this.#solana];
    if (!evm || !solana) throw new Error('There is no wallet.');
    if (accepted.network !== SOLANA) {
      const draft = draftEvmPayment(
        { ...accepted, payTo: payTo === 'self' ? evm.account.address : payTo },
        evm.account.address,
      );
      return signedEvmPayment(draft, await evm.account.signTypedData(draft.typedData));
    }
    const { getTransactionDecoder, getTransactionEncoder } = await import('@solana/kit');
    const signTransaction = async (wire: Uint8Array): Promise<Uint8Array> => {
      const transaction = getTransactionDecoder().decode(wire);
      const [signatures] = await solana.signer.signTransactions([transaction as never]);
      return new Uint8Array(
        getTransactionEncoder().encode({ ...transaction, signatures: { ...transaction.signatures, ...signatures } }),
      );
    };
    return signSolanaPayment(
      { ...accepted, payTo: payTo === 'self' ? solana.address : payTo },
      { address: solana.address, signTransaction },
      `${this.sandboxUrl}/solana/solana-mainnet`,
    );
  }
}

/** A gateway that is killed and restarted, with another way of settling each time, and its payers. */
class Bazaar {
  readonly lies = new Map<string, Lie>();
  /** Payments to us whose payers do not know the outcome yet. They are sent again after a restart. */
  readonly waiting = new Map<SignedPayment, Way>();
  /** Last answer for each payment to us. */
  readonly lastAnswers = new Map<SignedPayment, { way: Way; network: string; amount: string; answer: string }>();
  remote = false;

  constructor(
    readonly sandboxUrl: string,
    readonly stage: KillableStage,
    readonly facilitator: LyingFacilitator,
    private readonly friends: { evm: string; solana: string },
  ) {}

  async restart(): Promise<void> {
    this.remote = !this.remote;
    const rails = sandboxRails(stageKeys).map((rail) =>
      this.remote ? { ...rail, facilitator: { url: this.facilitator.url, timeoutMs: 2_000 } } : rail,
    );
    this.stage.settings.payments = { rails, openMax: { perAddress: 100_000, perPayer: 100, total: 100_000 } };
    await this.stage.start();
  }

  async payOnce(payers: Payers): Promise<void> {
    const { way, lie } = { way: pick(WAYS), lie: pick(LIES) };
    const options = await readPaymentOptions({ baseUrl: this.stage.origin });
    const offered = options.filter(({ network }) => network === SOLANA || network === 'eip155:8453');
    if (offered.length === 0) return;
    const accepted = { ...pick(offered), amount: String(5_000_000 + Math.floor(Math.random() * 10_000_000)) };
    const friend = accepted.network === SOLANA ? this.friends.solana : this.friends.evm;
    const payTo = way === 'pays itself and presents that' ? 'self' : /friend/.test(way) ? friend : accepted.payTo;
    const payment = await payers.sign(accepted, payTo);
    if (payTo === accepted.payTo && way !== 'sends noise') this.waiting.set(payment, way);
    this.lies.set(JSON.stringify(open(payment).payload), lie);
    await this.#present(way, payment, accepted);
  }

  async #present(way: Way, payment: SignedPayment, accepted: PaymentRequirements): Promise<void> {
    const envelope = open(payment);
    switch (way) {
      case 'pays':
        return void (await this.send(payment));
      case 'sends it many times at once':
        return void (await Promise.all(Array.from({ length: 5 }, () => this.send(payment))));
      case 'sends it with another value too':
        await Promise.all([this.send(payment), this.send(withValue(envelope, '90000000'))]);
        return;
      case 'has it executed elsewhere before':
        await this.#execute(envelope);
        return void (await this.send(payment));
      case 'has it executed elsewhere while it is presented':
        await Promise.all([this.send(payment), this.#execute(envelope)]);
        return;
      case 'sends noise':
        await this.send(
          close({
            ...envelope,
            payload: {
              ...envelope.payload,
              transaction: Buffer.from(String(Math.random())).toString('base64'),
              signature: `0x${'17'.repeat(65)}`,
            },
          }),
        );
        return void (await this.send(Buffer.from(String(Math.random())).toString('base64')));
      default: {
        // The payment is refused, executed elsewhere, and presented again, unchanged and as if it were for us.
        const claimed = close({ ...envelope, accepted });
        await this.send(claimed);
        await this.#execute(envelope);
        await Promise.all([this.send(claimed), this.send(payment), this.send(withReceiver(envelope, accepted))]);
      }
    }
  }

  #execute({ accepted, payload, x402Version }: Envelope): Promise<unknown> {
    return this.facilitator.execute(
      { x402Version, accepted, payload } as unknown as PaymentPayload,
      accepted as unknown as CoreRequirements,
    );
  }

  /** Sends a payment like a client: without an outcome, it keeps the payment and sends it again. */
  async send(payment: SignedPayment): Promise<void> {
    const answered = await fetch(`${this.stage.origin}/api/v1/x402/top-up`, {
      method: 'POST',
      headers: { 'payment-signature': payment },
      signal: AbortSignal.timeout(20_000),
    }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null,
    );
    const way = this.waiting.get(payment) ?? this.lastAnswers.get(payment)?.way;
    if (!way) return;
    const { network, amount } = open(payment).accepted;
    this.lastAnswers.set(payment, {
      way,
      network,
      amount,
      answer: answered ? `${answered.status} ${answered.text}` : 'none',
    });
    if (answered?.status === 200 || answered?.status === 400) this.waiting.delete(payment);
  }

  /** Payers whose payment was executed without the gateway may have asked too early, so they ask again. */
  async askAfterRefusals(): Promise<void> {
    const early = [...this.lastAnswers].filter(
      ([, { way, answer }]) => /elsewhere/.test(way) && answer.startsWith('400'),
    );
    for (const [payment, { way }] of early) this.waiting.set(payment, way);
    await this.sendAgain();
  }

  /** Returns the last answers to payers without a credit. */
  uncredited(): string[] {
    const told = [...this.lastAnswers.values()].filter(({ answer }) => !answer.startsWith('200'));
    const untold = [...this.waiting]
      .filter(([payment]) => !this.lastAnswers.has(payment))
      .map(([, way]) => `${way}: never answered`);
    return [...told.map(({ way, network, amount, answer }) => `${way}, ${amount} on ${network}: ${answer}`), ...untold];
  }

  async sendAgain(): Promise<void> {
    const waiting = [...this.waiting.keys()];
    for (let at = 0; at < waiting.length; at += AT_ONCE)
      await Promise.all(waiting.slice(at, at + AT_ONCE).map((payment) => this.send(payment)));
  }
}

function withValue(envelope: Envelope, value: string): SignedPayment {
  const { authorization } = envelope.payload;
  return close(
    authorization
      ? { ...envelope, payload: { ...envelope.payload, authorization: { ...authorization, value } } }
      : { ...envelope, accepted: { ...envelope.accepted, amount: value } },
  );
}

function withReceiver(envelope: Envelope, accepted: PaymentRequirements): SignedPayment {
  const { authorization } = envelope.payload;
  return close({
    ...envelope,
    accepted,
    payload: authorization
      ? { ...envelope.payload, authorization: { ...authorization, to: accepted.payTo } }
      : envelope.payload,
  });
}

const gained = async (sandboxUrl: string): Promise<bigint> =>
  (await balanceOnChain(sandboxUrl, 'base')) + (await balanceOnChain(sandboxUrl, 'solana'));

describe('random top-ups', () => {
  test(
    `${TOP_UPS} of them, with liars, forgers and kills between: credits are what the receivers gained`,
    { timeout: PATIENCE_MS },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-x402-random-'));
      const { url } = await startAlone(sandboxBundle, join(folder, 'sandbox'));
      const stage = new KillableStage(stageBundle, {
        sandboxUrl: url,
        dataDir: join(folder, 'data'),
        answerWithinMs: 2_500,
      });
      let bazaar: Bazaar | null = null;
      const facilitator = await LyingFacilitator.start(
        url,
        ({ payload }) => bazaar?.lies.get(JSON.stringify(payload)) ?? 'honest',
      );
      try {
        const friends = { evm: (await evmWallet(url)).account.address, solana: (await solanaWallet(url)).address };
        bazaar = new Bazaar(url, stage, facilitator, friends);
        for (let done = 0; done < TOP_UPS; done += AT_ONCE) {
          const market = bazaar;
          await market.restart();
          const paying = [
            market.sendAgain(),
            ...Array.from({ length: Math.min(AT_ONCE, TOP_UPS - done) }, () =>
              market.payOnce(new Payers(url)).catch(() => undefined),
            ),
          ];
          // Most rounds finish. Some are killed while payments run.
          if (Math.random() < 0.4) await sleep(Math.random() * 2_500);
          else await Promise.all(paying);
          await stage.kill();
          await Promise.all(paying);
        }
        await bazaar.restart();
        await bazaar.sendAgain();
        await expectCreditsAreGains(url, join(folder, 'data'), bazaar);
      } finally {
        await stage.kill();
        facilitator.stop();
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  );
});

/** Lets the restarted gateway finish open payments, and compares the ledger with the chains. */
async function expectCreditsAreGains(sandboxUrl: string, dataDir: string, bazaar: Bazaar): Promise<void> {
  const { db, close: closeStore } = await openSqlite(dataDir, { exclusive: false });
  try {
    const credits = async (): Promise<bigint> => {
      const rows = await db.selectFrom('ledger').select('amount').where('kind', '=', 'TOP_UP').execute();
      return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    };
    await bazaar.facilitator.idle();
    await bazaar.askAfterRefusals();
    const agree = async (): Promise<boolean> => (await credits()) === (await gained(sandboxUrl)) * 1_000n;
    let agreed = 0;
    for (const deadline = performance.now() + 100_000; agreed < 8 && performance.now() < deadline; await sleep(500)) {
      agreed = (await agree()) ? agreed + 1 : 0;
      if (agreed === 0) await bazaar.sendAgain();
    }
    const states = await db
      .selectFrom('payments')
      .select(['state', 'network', 'error', 'waits_for', 'amount'])
      .execute();
    const notCredited = states.filter(({ state }) => state !== 'credited');
    const uncredited = bazaar.uncredited();
    expect({ credits: await credits(), notCredited, uncredited }).toEqual({
      credits: (await gained(sandboxUrl)) * 1_000n,
      notCredited,
      uncredited,
    });
    // A payer whose payment was not taken has paid nothing, because the sums match. Every payer gets an answer.
    expect([...bazaar.lastAnswers.values()].filter(({ answer }) => answer === 'none')).toEqual([]);
    expect([...bazaar.waiting.keys()].filter((payment) => !bazaar.lastAnswers.has(payment))).toEqual([]);
    expect(states.filter(({ state }) => state === 'credited').length).toBeGreaterThan(TOP_UPS / 4);
    const requestIds = (await db.selectFrom('ledger').select('request_id').where('kind', '=', 'TOP_UP').execute()).map(
      ({ request_id }) => request_id,
    );
    expect(new Set(requestIds).size).toBe(requestIds.length);
    expect((await checkLedger(db)).faults).toEqual([]);
  } finally {
    await closeStore();
  }
}
