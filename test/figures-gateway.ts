import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { expect } from 'vitest';
import { checkLedger } from '@/lib/server/billing/ledger-check';
import { creditWithin } from '@/lib/server/db/credits';
import { ensureWalletAccount } from '@/lib/server/db/wallets';
import { chatGateway, PRICES } from './chat-gateway';
import { type ModelScript, scriptedModel } from './scripted-model';

type Json = Readonly<Record<string, unknown>>;
type Caller = 'key' | 'wallet';

export interface AskedChat {
  path: '/chat/completions' | '/responses' | '/messages';
  caller: Caller;
  isStream: boolean;
  /** Number of bytes of the answer after which the client disconnects; null if it stays connected. */
  leavesAfter: number | null;
  body: Json;
}

/** Answer to a chat, with the caller's balance before it. */
export interface AnsweredChat {
  status: number;
  text: string;
  /** True if the answer ended with an error or the client disconnected. */
  isBroken: boolean;
  isReplayed: boolean;
  caller: Caller;
  requestId: string | null;
  /** X-Balance-Remaining; null if absent. */
  balanceNanoUsd: number | null;
  beforeNanoUsd: number;
  heldNanoUsd: number;
}

export interface SoldTokens {
  prompt: number;
  completion: number;
  cached: number;
  written: number;
}

/** Charge in the ledger, and the cost of its tokens at the configured prices. */
export interface FoundCharge {
  amountNanoUsd: number;
  units: number;
  detail: string;
  sold: SoldTokens;
  costNanoUsd: number;
}

/** Gateway over two plain servers and an attested one. A key and a wallet call it, and tests compare its figures. */
export interface FiguresGateway {
  /** Sets the behavior of the first plain server and of the others. */
  script(first: ModelScript, others: ModelScript): void;
  ask(asked: AskedChat, idempotencyKey: string | null): Promise<AnsweredChat>;
  /** Returns the charge since the last call; null without one. Expects at most one. */
  newCharge(answered: AnsweredChat): Promise<FoundCharge | null>;
  /** Returns the charge that GET /billing/usage lists for a request. */
  listed(answered: AnsweredChat): Promise<Omit<FoundCharge, 'sold' | 'costNanoUsd'> | null>;
  /** Compares the totals of all figures. */
  checkBooks(): Promise<void>;
}

const GRANT_NANO_USD = 10_000_000_000_000;
const CACHE_PRICES = { cachedInputUsdPerMillionTokens: '0.1', cacheWriteUsdPerMillionTokens: '1.25' };
const SIGN_IN_MS = 60_000;
const ATTESTED_MODEL = { id: 'tee-plain', object: 'model', created: 1, owned_by: 'test', context_length: 1_000 };
const wallet = privateKeyToAccount(`0x${'35'.repeat(32)}`);

export async function figuresGateway(): Promise<FiguresGateway> {
  const [first, second, enclave] = await Promise.all([
    scriptedModel(),
    scriptedModel(),
    scriptedModel(undefined, [ATTESTED_MODEL]),
  ]);
  const inference = {
    chatUpstreams: [
      { name: 'first', url: first.url },
      { name: 'second', url: second.url },
    ],
    enclaveUpstreams: [{ name: 'enclave', url: enclave.url }],
    prices: { ...PRICES, ...CACHE_PRICES },
    repairAttempts: 1,
  };
  const { gateway, origin, key, get } = await chatGateway(inference, GRANT_NANO_USD, {
    limits: { requestsPerMinute: 1_000_000 },
    publicUrls: ['http://gateway.test'],
  });
  const { db, meter, openCalls, metrics } = gateway;
  const walletAccount = await ensureWalletAccount(db, wallet.address.toLowerCase());
  await db.transaction().execute((within) =>
    creditWithin(within, {
      accountId: walletAccount,
      pot: 'x402',
      kind: 'TOP_UP',
      amountNanoUsd: GRANT_NANO_USD,
      detail: '',
      requestId: 'top-up',
    }),
  );

  let heldNanoUsd = 0;
  const reserve = meter.reserve.bind(meter);
  meter.reserve = (request) => {
    heldNanoUsd = request.maxNanoUsd;
    return reserve(request);
  };
  let settling = 0;
  const settle = meter.settle.bind(meter);
  meter.settle = (...charge) => {
    settling++;
    return settle(...charge).finally(() => settling--);
  };
  const charged: Record<Caller, number> = { key: 0, wallet: 0 };
  let lastRow = 0;
  let signedIn = { at: -Infinity, header: '' };
  const credential = async (caller: Caller): Promise<Record<string, string>> => {
    if (caller === 'key') return { authorization: `Bearer ${key}` };
    if (Date.now() - signedIn.at > SIGN_IN_MS) signedIn = { at: Date.now(), header: await signIn() };
    return { 'sign-in-with-x': signedIn.header };
  };
  const getAs = async (caller: Caller, path: string): Promise<Json> =>
    (await (await fetch(`${origin}/api/v1${path}`, { headers: await credential(caller) })).json()) as Json;

  return {
    script(one, others) {
      first.script = one;
      second.script = enclave.script = others;
    },
    async ask({ path, caller, leavesAfter, body }, idempotencyKey) {
      const beforeNanoUsd = GRANT_NANO_USD - charged[caller];
      const leaving = new AbortController();
      const headers = {
        'content-type': 'application/json',
        ...(await credential(caller)),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      };
      const answered = {
        status: 0,
        text: '',
        isBroken: false,
        isReplayed: false,
        caller,
        requestId: null as string | null,
        balanceNanoUsd: null as number | null,
      };
      try {
        const response = await fetch(`${origin}/api/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
          signal: leaving.signal,
        });
        const balance = response.headers.get('x-balance-remaining');
        Object.assign(answered, {
          status: response.status,
          requestId: response.headers.get('x-request-id'),
          isReplayed: response.headers.get('idempotent-replayed') === 'true',
          balanceNanoUsd: balance === null ? null : Math.round(Number(balance) * 1e6) * 1_000,
        });
        const decoder = new TextDecoder();
        let bytes = 0;
        for await (const chunk of response.body ?? []) {
          answered.text += decoder.decode(chunk as Uint8Array, { stream: true });
          bytes += (chunk as Uint8Array).length;
          if (leavesAfter !== null && bytes > leavesAfter) leaving.abort();
        }
      } catch {
        answered.isBroken = true;
      }
      answered.isBroken ||= /^event: (?:error|response\.failed)|"error":\{"message":"Broken/m.test(answered.text);
      while (openCalls.count > 0 || settling > 0) await sleep(1);
      return { ...answered, beforeNanoUsd, heldNanoUsd };
    },
    async newCharge({ caller }) {
      const rows = await db
        .selectFrom('ledger')
        .select(['id', 'amount', 'units', 'detail'])
        .where('kind', '=', 'CHARGE')
        .where('id', '>', lastRow)
        .orderBy('id')
        .execute();
      expect(rows.length).toBeLessThanOrEqual(1);
      const [row] = rows;
      if (row === undefined) return null;
      lastRow = row.id;
      charged[caller] -= row.amount;
      const sold = soldIn(row.detail);
      return { amountNanoUsd: -row.amount, units: row.units, detail: row.detail, sold, costNanoUsd: costOf(sold) };
    },
    async listed({ caller, requestId }) {
      if (requestId === null) return null;
      const { data } = (await getAs(caller, `/billing/usage?requestId=${requestId}`)) as {
        data: { amount: string; units: number; detail: string }[];
      };
      expect(data).toHaveLength(1);
      const [{ amount, units, detail }] = data as [(typeof data)[number]];
      return { amountNanoUsd: Math.round(Number(amount) * 1e9), units, detail };
    },
    async checkBooks() {
      expect((await checkLedger(db)).faults).toEqual([]);
      const text = await metrics.text();
      expect(text).toContain(`turnpike_charged_nano_usd_total{service="chat"} ${charged.key + charged.wallet}\n`);
      const balances = [
        (await get('/billing/balance')).json as { balances: { usd: number } },
        (await getAs('wallet', '/billing/balance')) as { x402Usd: number },
      ] as const;
      expect([balances[0].balances.usd, balances[1].x402Usd].map((usd) => Math.round(usd * 1e9))).toEqual([
        GRANT_NANO_USD - charged.key,
        GRANT_NANO_USD - charged.wallet,
      ]);
      for (const caller of ['key', 'wallet'] as const) {
        const { totals } = (await getAs(caller, '/billing/usage?groupBy=resource')) as {
          totals: { amount: string; reconciles: boolean };
        };
        expect([Math.round(Number(totals.amount) * 1e9), totals.reconciles]).toEqual([charged[caller], true]);
      }
    },
  };
}

/** Parses the token counts in a charge's detail. */
function soldIn(detail: string): SoldTokens {
  const [, prompt, completion, cached = 0, written = 0] =
    /^(\d+) \+ (\d+) tokens(?:, (\d+) cached)?(?:, (\d+) written to the cache)?$/.exec(detail) ?? [];
  return { prompt: Number(prompt), completion: Number(completion), cached: Number(cached), written: Number(written) };
}

function costOf({ prompt, completion, cached, written }: SoldTokens): number {
  return (prompt - cached - written) * 1_000 + cached * 100 + written * 1_250 + completion * 2_000;
}

async function signIn(): Promise<string> {
  const issuedAt = new Date();
  const message = createSiweMessage({
    address: wallet.address,
    domain: 'gateway.test',
    uri: 'http://gateway.test',
    version: '1',
    chainId: 8453,
    nonce: '0123456789abcdef',
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + 600_000),
    statement: 'Sign in to Turnpike',
  });
  const payload = {
    address: wallet.address,
    message,
    signature: await wallet.signMessage({ message }),
    timestamp: issuedAt.getTime(),
    chainId: 8453,
  };
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** Returns the last usage in a client's answer, in any of the APIs. Null if there is none. */
export function seenUsage(text: string, { path }: Pick<AskedChat, 'path'>): Partial<SoldTokens> | null {
  const parts = /^(?:data|event|:)/.test(text)
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as Json)
    : [JSON.parse(text) as Json];
  const usages = parts
    .map((part) => record(part['usage'] ?? record(part['response'])['usage']))
    .filter((usage) => Object.keys(usage).length > 0);
  const usage = usages.at(-1);
  if (usage === undefined) return null;
  const count = (name: string): number => Number(usage[name] ?? 0);
  if (path === '/messages') {
    const [cached, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
    return { prompt: count('input_tokens') + cached + written, completion: count('output_tokens'), cached, written };
  }
  const [prompt, completion] =
    path === '/responses'
      ? [count('input_tokens'), count('output_tokens')]
      : [count('prompt_tokens'), count('completion_tokens')];
  if (usage['total_tokens'] != null) expect(usage['total_tokens']).toBe(prompt + completion);
  const [inside, thoughts] = [
    record(usage['prompt_tokens_details'] ?? usage['input_tokens_details']),
    record(usage['completion_tokens_details'] ?? usage['output_tokens_details']),
  ];
  expect(Number(thoughts['reasoning_tokens'] ?? 0)).toBeLessThanOrEqual(completion);
  const cached = Number(
    inside['cached_tokens'] ??
      usage['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['cache_read_input_tokens'] ??
      0,
  );
  // The Responses API has no field for tokens written to a cache.
  if (path === '/responses') return { prompt, completion, cached };
  const written = Number(
    inside['cache_write_tokens'] ?? inside['cache_creation_input_tokens'] ?? usage['cache_creation_input_tokens'] ?? 0,
  );
  return { prompt, completion, cached, written };
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
