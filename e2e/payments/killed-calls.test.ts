import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleSandbox, endChildren, startAlone } from '@/lib/sandbox/sandbox-under-test';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { openSqlite } from '@/lib/server/db/sqlite/open';
import { bundleStage, KillableStage } from './killable-stage';
import { evmWallet, solanaWallet } from './paying-wallets';
import { balanceOnChain } from './receiver-balance';

/**
 * Agents pay per call for random calls of chains, chats and speech on both rails, while the gateway is killed
 * repeatedly. A client without an answer repeats its request. A client whose payment was not taken signs again. In the
 * end, each payment is credited once, matches the chain to the unit, and has paid for at most one call. X402_CALLS is
 * the number of calls; 1000 take about a quarter of an hour.
 */

const CALLS = Number(process.env.X402_CALLS ?? '32');
/** Number of calls between two kills. */
const AT_ONCE = 8;
/** The faucet gives a wallet 100 USDC. */
const WALLETS = 4;
/** How long an agent repeats a request. On a busy machine, a gateway takes seconds to start. */
const PATIENCE_MS = 90_000;
/** Maximum payments that an agent signs for a call, one after another. */
const SIGNED_MAX = 3;
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
const METHODS = ['eth_chainId', 'eth_blockNumber', 'eth_gasPrice', 'net_version'] as const;
const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
/** What agents buy, with equal probability: a read of a chain, several reads, a chat, speech. */
const PURCHASES: readonly ((id: number) => { path: string; body: unknown })[] = [
  (id) => ({ path: RPC, body: readOf(id) }),
  (id) => ({ path: RPC, body: [readOf(id), readOf(id + 1)] }),
  (id) => ({
    path: '/api/v1/chat/completions',
    body: { model: 'guide', max_tokens: 16, messages: [{ role: 'user', content: `What is staking? (${id})` }] },
  }),
  (id) => ({ path: '/api/v1/audio/speech', body: { input: `Paid, ${id}.`, response_format: 'wav' } }),
];

let sandboxBundle: string;
let stageBundle: string;
beforeAll(async () => {
  [sandboxBundle, stageBundle] = await Promise.all([bundleSandbox(), bundleStage()]);
}, 120_000);
afterAll(endChildren);

const readOf = (id: number) => ({ jsonrpc: '2.0', id, method: pick(METHODS), params: [] });
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** Agent that pays per call: signs once, and repeats the request until it gets an answer. */
class Agent {
  readonly #http: x402HTTPClient;

  constructor(
    client: x402Client,
    private readonly stage: KillableStage,
  ) {
    this.#http = new x402HTTPClient(client);
  }

  /** @returns the status of the answer, and whether it was replayed */
  async call(id: number): Promise<{ status: number; text: string }> {
    const { path, body } = pick(PURCHASES)(id);
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' } as Record<string, string>,
      body: JSON.stringify(body),
    };
    for (let signed = 1; ; signed++) {
      const payment = await this.#sign(path, init);
      const answer = await this.#persist(async () => {
        const { status, text } = await this.#answerOf(path, { ...init, headers: { ...init.headers, ...payment } });
        if (status === 429 || status === 503) throw new Error(text);
        return { status, text };
      });
      // On a busy machine, a payment may expire before the gateway runs again. The gateway then says that nothing was
      // taken, and the ledger must agree.
      if (signed === SIGNED_MAX || answer.status !== 400 || !answer.text.includes('X402_INVALID_PAYMENT'))
        return answer;
    }
  }

  #sign(path: string, init: RequestInit): Promise<Record<string, string>> {
    return this.#persist(async () => {
      const asked = await this.#send(path, init);
      const required = this.#http.getPaymentRequiredResponse((name) => asked.headers.get(name), await asked.json());
      return this.#http.encodePaymentSignatureHeader(await this.#http.createPaymentPayload(required));
    });
  }

  async #answerOf(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const answer = await this.#send(path, init);
    return { status: answer.status, text: await answer.text() };
  }

  #send(path: string, init: RequestInit): Promise<Response> {
    return fetch(`${this.stage.origin}${path}`, { ...init, signal: AbortSignal.timeout(20_000) });
  }

  async #persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const untilMs = performance.now() + PATIENCE_MS; ;) {
      try {
        return await work();
      } catch (error) {
        if (performance.now() > untilMs) throw error;
        await sleep(250);
      }
    }
  }
}

async function agents(sandboxUrl: string, stage: KillableStage): Promise<Agent[]> {
  const evm = await Promise.all(Array.from({ length: WALLETS }, () => evmWallet(sandboxUrl)));
  const solana = await Promise.all(Array.from({ length: WALLETS }, () => solanaWallet(sandboxUrl)));
  const config = (network: 'eip155:8453' | typeof SOLANA, client: ExactEvmScheme | ExactSvmScheme) =>
    x402Client.fromConfig({ schemes: [{ network, client }], spendControls: false });
  return [
    ...evm.map(({ account }) => new Agent(config('eip155:8453', new ExactEvmScheme(account)), stage)),
    ...solana.map(
      ({ signer }) =>
        new Agent(config(SOLANA, new ExactSvmScheme(signer, { rpcUrl: `${sandboxUrl}/solana/solana-mainnet` })), stage),
    ),
  ];
}

test(
  `${CALLS} calls that carry their payment, the gateway killed every ${AT_ONCE}`,
  { timeout: 120_000 + CALLS * 4_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-x402-calls-'));
    const sandbox = await startAlone(sandboxBundle, join(folder, 'sandbox'));
    const stage = new KillableStage(stageBundle, {
      sandboxUrl: sandbox.url,
      dataDir: join(folder, 'data'),
      payments: { openMax: { perAddress: 100_000, perPayer: 1_000, total: 100_000 } },
    });
    await stage.start();
    const payers = await agents(sandbox.url, stage);

    const answers: { status: number; text: string }[] = [];
    for (let from = 0; from < CALLS; from += AT_ONCE) {
      const running = Promise.all(
        Array.from({ length: Math.min(AT_ONCE, CALLS - from) }, (_, index) => pick(payers).call(from + index)),
      );
      await sleep(Math.random() * 400);
      await stage.kill();
      await stage.start();
      answers.push(...(await running));
    }
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : `${status} ${text}`))).toEqual(
      Array(CALLS).fill(200),
    );

    const { db, close } = await openSqlite(join(folder, 'data'), { exclusive: false });
    try {
      const recorded = await db.selectFrom('payments').select(['state', 'amount', 'call']).execute();
      const payments = recorded.filter(({ state }) => state === 'credited');
      expect(payments).toHaveLength(CALLS);
      expect(recorded.filter(({ state }) => !['credited', 'failed'].includes(state))).toEqual([]);
      expect(payments.every(({ call }) => /^[0-9a-f]{64}$/.test(String(call)))).toBe(true);
      const credited = payments.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
      expect(credited).toBe(
        ((await balanceOnChain(sandbox.url, 'base')) + (await balanceOnChain(sandbox.url, 'solana'))) * 1_000n,
      );
      const charges = await db.selectFrom('ledger').select('amount').where('kind', '=', 'CHARGE').execute();
      expect(charges).toHaveLength(CALLS);
      expect((await checkLedger(db)).faults).toEqual([]);
    } finally {
      await close();
      await stage.kill();
      const ended = once(sandbox.child, 'exit');
      sandbox.child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
