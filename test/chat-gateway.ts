import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import type { Gateway } from '@/lib/server/create-gateway';
import { FastPath } from '@/lib/server/http/fast-path/fast-path';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { createAccount } from '@/lib/server/db/accounts';
import { insertApiKey, newApiKeySecret } from '@/lib/server/db/api-keys';
import { grantWithin } from '@/lib/server/db/credits';
import { createLog } from '@/lib/server/telemetry/log';
import { gatewayOfFile, serve } from './test-gateway';

export interface ChatAnswer {
  status: number;
  headers: Headers;
  text: string;
  json: Record<string, unknown> & { error?: string; code?: string; details?: unknown };
}

/** Gateway over a test's model servers, behind the fast entry and the fast path. One caller has a balance. */
export interface ChatGateway {
  gateway: Gateway;
  origin: string;
  key: string;
  /** POST /chat/completions. */
  chat(
    body: unknown,
    options?: { headers?: Record<string, string>; signal?: AbortSignal; key?: string | null },
  ): Promise<Response>;
  /** Sends a chat and returns the whole answer. */
  ask(body: unknown, options?: { headers?: Record<string, string>; key?: string | null }): Promise<ChatAnswer>;
  get(path: string, options?: { key?: string | null }): Promise<ChatAnswer>;
  /** Returns a key of a new account with this balance. */
  caller(usdNano: number): Promise<string>;
  /** Returns amount and detail of each charge in the ledger. */
  charges(): Promise<{ amount: number; detail: string; resource: string }[]>;
  /** Returns the units of each charge, in order. */
  units(): Promise<number[]>;
}

/** 1 USD per million input tokens, 2 USD per million output tokens: 1,000 and 2,000 nano-USD per token. */
export const PRICES = { inputUsdPerMillionTokens: '1', outputUsdPerMillionTokens: '2' };

export async function chatGateway(
  inference: Record<string, unknown>,
  grantNanoUsd = 1_000_000_000,
  settings: Record<string, unknown> = {},
  log: Logger = createLog('silent'),
): Promise<ChatGateway> {
  const gateway = await gatewayOfFile({ inference: { prices: PRICES, ...inference }, ...settings }, { log });
  const caller = async (usdNano: number): Promise<string> => {
    const accountId = await createAccount(gateway.db, { label: 'test', tier: 'standard' });
    if (usdNano > 0) await grantWithin(gateway.db, { accountId, pot: 'usd', amountNanoUsd: usdNano, detail: 'test' });
    const secret = newApiKeySecret();
    await insertApiKey(gateway.db, secret, {
      accountId,
      type: 'INFERENCE',
      description: '',
      expiresAt: null,
      limitPeriod: 'LIFETIME',
      limitUsdNano: null,
      limitDiemNano: null,
    });
    return secret;
  };
  const own = await caller(grantNanoUsd);
  const { server, origin } = await serve(nodeListener(gateway));
  const fastPath = new FastPath(server, gateway, { keepAliveMs: 75_000, firstRequestMs: 60_000 });
  onTestFinished(() => fastPath.close());
  const authorization = (key: string | null | undefined): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key ?? own}` };
  const chat: ChatGateway['chat'] = (body, { headers, signal, key } = {}) =>
    fetch(`${origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization(key), ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  return {
    gateway,
    origin,
    key: own,
    caller,
    chat,
    ask: async (body, options) => answerOf(await chat(body, options)),
    get: async (path, { key } = {}) =>
      answerOf(await fetch(`${origin}/api/v1${path}`, { headers: authorization(key) })),
    units: async () => {
      const rows = await gateway.db
        .selectFrom('ledger')
        .select('units')
        .where('kind', '=', 'CHARGE')
        .orderBy('id')
        .execute();
      return rows.map(({ units }) => units);
    },
    charges: async () => {
      const rows = await gateway.db
        .selectFrom('ledger')
        .selectAll()
        .where('kind', '=', 'CHARGE')
        .orderBy('id')
        .execute();
      return rows.map(({ amount, detail, resource }) => ({ amount: -amount, detail, resource }));
    },
  };
}

/**
 * Waits for the charges, because a stream's charge may be committed after its connection has ended. Returns an empty
 * list if there is none.
 */
export async function charged({ charges }: ChatGateway): ReturnType<ChatGateway['charges']> {
  for (let i = 0; i < 100; i++) {
    const committed = await charges();
    if (committed.length > 0) return committed;
    await sleep(20);
  }
  return [];
}

async function answerOf(response: Response): Promise<ChatAnswer> {
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // An answer that is not JSON is an event stream.
  }
  return { status: response.status, headers: response.headers, text, json: json as ChatAnswer['json'] };
}
