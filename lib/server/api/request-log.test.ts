import { afterEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/lib/server/http/endpoint';
import { nextRoute } from '@/lib/server/http/next-adapter';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { RequestRecord } from '@/lib/server/http/request-record';
import { setServedApi } from '@/lib/server/http/served-api';
import type { Call } from '@/lib/server/http/call';
import { type ChatGateway, chatGateway } from '@/test/chat-gateway';
import { keptLog, type KeptLog } from '@/test/kept-log';
import { chunk, DONE, type ModelScript, says, scriptedModel, streams, usageChunk } from '@/test/scripted-model';
import { errorOf, resultOf, scriptedNode } from '@/test/scripted-node';
import { serve } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';
import { type Sent, throughSocket } from '@/test/through-socket';
import { RequestLog } from './request-log';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const RPC_PATH = '/api/v1/crypto/rpc/{network}';
const ENTRIES = ['fast path', 'node:http', 'Next'] as const;

interface Logged extends ChatGateway {
  kept: KeptLog;
  /** Sends a request to one of the gateway's entries. @returns the status */
  send(entry: (typeof ENTRIES)[number], sent: Sent): Promise<number>;
  lines(): Record<string, unknown>[];
}

/** Starts a gateway with one node and one model. Logs every request by default. */
async function logged(
  settings: { requests?: object; node?: string; nodes?: string[]; model?: Parameters<typeof scriptedModel>[0] } = {},
): Promise<Logged> {
  const kept = keptLog();
  const node = await scriptedNode(({ items: [item] }) =>
    item?.method === 'eth_call'
      ? errorOf(item, -32000, 'execution reverted')
      : resultOf(item as { id: number }, item?.method === 'eth_chainId' ? '"0x1"' : '"0x10"'),
  );
  const model = await scriptedModel(settings.model ?? says('An answer.'));
  const networks = {
    'ethereum-mainnet': { upstreams: settings.nodes ?? [settings.node ?? node.url], chainIdentity: false },
  };
  const further = {
    networks,
    rpc: { healthChecks: { intervalMs: 0 } },
    trustProxyHops: 1,
    log: { requests: { share: 1, ...settings.requests } },
  };
  const gateway = await chatGateway(
    { chatUpstreams: [{ name: 'hall', url: model.url }] },
    1_000_000_000,
    further,
    kept.log,
  );
  const plain = await serve(nodeListener(gateway.gateway));
  return {
    ...gateway,
    kept,
    lines: () => kept.lines('request'),
    send: async (entry, { path, body = '', headers = {}, method = 'POST' }) => {
      const all = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...headers };
      if (entry === 'fast path') return throughSocket(new URL(gateway.origin), { path, body, headers: all, method });
      const request = { method, headers: all, ...(method === 'GET' ? {} : { body }) };
      if (entry === 'node:http') return (await fetch(`${plain.origin}${path}`, request)).status;
      setServedApi(gateway.gateway);
      const handler = nextRoute(path.includes('/rpc/') ? RPC_PATH : path)[method as 'POST'];
      const response = await throughEntry(handler, new Request(`http://gateway.example${path}`, request));
      await response.arrayBuffer();
      return response.status;
    },
  };
}

const rpc = (method: string, params: unknown[] = []): Sent => ({
  path: '/api/v1/crypto/rpc/ethereum-mainnet',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
});
const chatOf = (content: string, more: object = {}): Sent => ({
  path: '/api/v1/chat/completions',
  body: JSON.stringify({ model: 'plain', messages: [{ role: 'user', content }], ...more }),
});

/** Begins an answer that never ends. */
const endless: ModelScript = (_asked, response) => {
  response.setHeader('content-type', 'text/event-stream');
  response.write(chunk('One two three'));
};

afterEach(() => setServedApi(undefined as never));

describe.each(ENTRIES)('the line of a request through %s', (entry) => {
  it('says who, what, where, how long, by whom and at what cost', async () => {
    const gateway = await logged();
    expect(await gateway.send(entry, { ...rpc('eth_blockNumber'), headers: { traceparent: TRACEPARENT } })).toBe(200);
    await expect.poll(() => gateway.lines().length).toBe(1);
    const [line] = gateway.lines();
    expect(line).toEqual({
      level: 30,
      msg: 'request',
      requestId: expect.stringMatching(/^[\da-f]{32}$/),
      account: expect.stringMatching(/^[\da-f]{16}$/),
      method: 'POST',
      endpoint: RPC_PATH,
      network: 'ethereum-mainnet',
      status: 200,
      durationMs: expect.any(Number),
      upstream: 'upstream 1',
      attempts: 1,
      costNanoUsd: 14_000,
      bytes: Buffer.byteLength('{"jsonrpc":"2.0","id":1,"result":"0x10"}'),
      traceId: TRACE,
    });
  });

  it('names the model of a chat, and the server that answered', async () => {
    const gateway = await logged();
    expect(await gateway.send(entry, chatOf('Hello'))).toBe(200);
    await expect.poll(() => gateway.lines().length).toBe(1);
    expect(gateway.lines()[0]).toMatchObject({
      endpoint: '/api/v1/chat/completions',
      model: 'plain',
      upstream: 'hall',
      attempts: 1,
      costNanoUsd: 200_000,
    });
    expect(gateway.lines()[0]).not.toHaveProperty('network');
  });

  it('has no key, wallet, prompt, address, or anything else that a caller wrote', async () => {
    const gateway = await logged();
    const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
    const canaries = {
      'x-forwarded-for': '203.0.113.77',
      'user-agent': 'canary-agent',
      'idempotency-key': 'canary-idempotency',
      traceparent: 'canary-trace',
      cookie: 'canary-cookie',
    };
    const sign = Buffer.from(JSON.stringify({ address: wallet, canary: 'canary-sign-in' })).toString('base64');
    await gateway.send(entry, { ...rpc('eth_getBalance', [wallet, 'latest']), headers: canaries });
    await gateway.send(entry, {
      ...rpc('eth_call', [{ to: wallet, data: '0xcanary' }]),
      headers: { ...canaries, 'idempotency-key': 'canary-second' },
    });
    await gateway.send(entry, { ...rpc('canary_method', ['canary-params']), headers: canaries });
    await gateway.send(entry, { ...chatOf('canary-prompt'), headers: canaries });
    await gateway.send(entry, { ...chatOf('canary-prompt', { model: 'canary-model' }), headers: canaries });
    await gateway.send(entry, {
      ...chatOf('canary-prompt'),
      headers: { ...canaries, authorization: 'Bearer canary-key' },
    });
    await gateway.send(entry, {
      ...chatOf('canary-prompt'),
      headers: { ...canaries, authorization: 'Bearer ', 'sign-in-with-x': sign },
    });
    await gateway.send(entry, { path: '/api/v1/crypto/rpc/canary-mainnet', body: '{"canary":1}', headers: canaries });
    await expect.poll(() => gateway.lines().length).toBe(8);
    const text = gateway.kept.texts.join('');
    expect(text).not.toMatch(/canary/i);
    for (const secret of [
      wallet,
      wallet.toLowerCase(),
      gateway.key,
      gateway.key.slice(-12),
      '203.0.113.77',
      '127.0.0.1',
    ])
      expect(text).not.toContain(secret);
    expect(gateway.lines().map(({ status }) => status)).toEqual([200, 200, 400, 200, 404, 401, 401, 400]);
  });
});

describe('which requests have a line', () => {
  it('those that succeeded in time by their share, here none; the refused and the failed all the same', async () => {
    const gateway = await logged({ requests: { share: 0 } });
    const deaf = await scriptedNode((_asked, response) => void response.writeHead(500).end());
    const failing = await logged({ requests: { share: 0 }, node: deaf.url });
    for (let i = 0; i < 20; i++) expect(await gateway.send('fast path', rpc('eth_blockNumber'))).toBe(200);
    expect(await gateway.send('fast path', rpc('no_such_method'))).toBe(400);
    expect(await failing.send('fast path', rpc('eth_blockNumber'))).toBe(500);
    await expect.poll(() => failing.lines().length).toBe(1);
    expect(failing.lines()[0]).toMatchObject({
      level: 40,
      status: 500,
      code: 'UPSTREAM_FAILED',
      upstream: 'upstream 1',
      costNanoUsd: 0,
    });
    expect(gateway.lines()).toEqual([
      expect.objectContaining({ level: 30, status: 400, code: 'UNSUPPORTED_METHOD', attempts: 0, costNanoUsd: 0 }),
    ]);
  });

  it('the slow ones', async () => {
    const slow = await scriptedNode(async ({ items: [item] }) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return resultOf(item as { id: number }, '"0x10"');
    });
    const gateway = await logged({ requests: { share: 0, slowMs: 50 }, node: slow.url });
    expect(await gateway.send('fast path', rpc('eth_blockNumber'))).toBe(200);
    await expect.poll(() => gateway.lines().length).toBe(1);
    expect(gateway.lines()[0]).toMatchObject({ status: 200, slow: true });
  });

  it('paths that lead nowhere, under one name', async () => {
    const gateway = await logged();
    expect(await gateway.send('node:http', { path: '/api/v1/canary/0xcanary?key=canary', method: 'GET' })).toBe(404);
    expect(gateway.lines()).toEqual([expect.objectContaining({ endpoint: 'other', status: 404, code: 'NOT_FOUND' })]);
    expect(gateway.kept.texts.join('')).not.toContain('canary');
  });

  it('counts every attempt, and names the upstream that answered', async () => {
    const failing = await scriptedNode((_asked, response) => void response.writeHead(500).end());
    const sound = await scriptedNode();
    const gateway = await logged({ nodes: [failing.url, sound.url] });
    const attempts = async (): Promise<unknown[]> => {
      await gateway.send('fast path', rpc('eth_gasPrice'));
      const { attempts: count, upstream } = gateway.lines().at(-1) ?? {};
      return [count, upstream];
    };
    const seen = [await attempts(), await attempts()];
    expect(seen).toContainEqual([2, 'upstream 2']);
    expect(seen.every(([, upstream]) => upstream === 'upstream 2')).toBe(true);
  });

  it('says 0 attempts of an answer from memory', async () => {
    const gateway = await logged();
    await gateway.send('fast path', rpc('eth_chainId'));
    await gateway.send('fast path', rpc('eth_chainId'));
    await expect.poll(() => gateway.lines().map(({ attempts }) => attempts)).toEqual([1, 0]);
  });
});

describe('the line of a stream', () => {
  it('counts its bytes, and comes with its end', async () => {
    const gateway = await logged({ model: streams(chunk('One'), chunk(' two'), usageChunk(), DONE) });
    const response = await gateway.chat({
      model: 'plain',
      stream: true,
      messages: [{ role: 'user', content: 'canary' }],
    });
    const text = await response.text();
    await expect.poll(() => gateway.lines().length).toBe(1);
    expect(gateway.lines()[0]).toMatchObject({
      status: 200,
      bytes: Buffer.byteLength(text),
      beganMs: expect.any(Number),
      upstream: 'hall',
    });
    expect(gateway.lines()[0]?.costNanoUsd).toBeGreaterThan(0);
  });

  it('says that its reader left, and what that cost, which is known a little later', async () => {
    const gateway = await logged({ requests: { share: 0 }, model: endless });
    const leaving = new AbortController();
    const response = await gateway.chat(
      { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
      { signal: leaving.signal },
    );
    await response.body?.getReader().read();
    leaving.abort();
    await expect.poll(() => gateway.lines().length).toBe(1);
    const [charge] = await gateway.charges();
    expect(gateway.lines()[0]).toMatchObject({ cut: true, costNanoUsd: charge?.amount });
    expect(charge?.amount).toBeGreaterThan(0);
  });
});

describe('work for lines that are not written', () => {
  const endpoint: Endpoint = { path: '/api/v1/example' };
  const settings = { share: 0, slowMs: 1_000, refusalsPerSecondMax: 3, faultsPerSecondMax: 20 };

  function noting(config: Partial<typeof settings> = {}, level = 'info', random?: () => number) {
    const kept = keptLog(level);
    let looks = 0;
    const log = new RequestLog({
      log: kept.log,
      config: { ...settings, ...config },
      endpoints: [endpoint],
      accountName: () => (looks++, 'name'),
      ...(random ? { random } : {}),
    });
    const note = (status: number, endedAt = 10): void => {
      const record = new RequestRecord({ header: () => (looks++, null) });
      Object.assign(record, {
        accountId: 1,
        status,
        code: status >= 400 ? 'INTERNAL' : null,
        answeredAt: endedAt,
        startedAt: endedAt - 5,
        endedAt,
      });
      log.note(endpoint, { record, requestId: 'id', method: 'POST' } as Call, { status, headers: {}, body: 'text' });
    };
    return { kept, note, looks: () => looks };
  }

  it('is not done: neither is the account named, nor are headers looked at', () => {
    const { kept, note, looks } = noting();
    for (let i = 0; i < 100; i++) note(200);
    expect([kept.texts, looks()]).toEqual([[], 0]);
    note(500);
    expect(looks()).toBe(2);
  });

  it('nor where the level of the log is above them', () => {
    const { kept, note, looks } = noting({ share: 1 }, 'error');
    for (const status of [200, 400, 500]) note(status);
    expect([kept.texts, looks()]).toEqual([[], 0]);
  });

  it('comes by the share', () => {
    const drawn = [0.1, 0.3, 0.2, 0.9];
    const { kept, note } = noting({ share: 0.25 }, 'info', () => drawn.shift() as number);
    for (let i = 0; i < 4; i++) note(200);
    expect(kept.lines('request')).toHaveLength(2);
  });

  it('is bounded for refusals, which cost callers nothing, and apart from them for faults and what is slow; how many had no line is said', () => {
    const { kept, note } = noting();
    for (let i = 0; i < 50; i++) note(404);
    for (let i = 0; i < 50; i++) note(500);
    expect(kept.lines('request').map(({ status }) => status)).toEqual([
      ...Array<number>(3).fill(404),
      ...Array<number>(20).fill(500),
    ]);
    note(404, 2_000);
    note(500, 2_000);
    expect(kept.lines('too many refused requests; some were not logged')).toEqual([
      expect.objectContaining({ leftOut: 47 }),
    ]);
    expect(kept.lines('too many failed or slow requests; some were not logged')).toEqual([
      expect.objectContaining({ leftOut: 30 }),
    ]);
    expect(kept.lines('request')).toHaveLength(25);
  });
});
