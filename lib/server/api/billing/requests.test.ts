import { afterEach, describe, expect, it } from 'vitest';
import { nextRoute } from '@/lib/server/http/next-adapter';
import { nodeListener } from '@/lib/server/http/node-adapter';
import { setServedApi } from '@/lib/server/http/served-api';
import { chatGateway } from '@/test/chat-gateway';
import { chunk, type ModelScript, says, scriptedModel } from '@/test/scripted-model';
import { resultOf, scriptedNode } from '@/test/scripted-node';
import { serve } from '@/test/test-gateway';
import { throughEntry } from '@/test/through-entry';
import { throughSocket } from '@/test/through-socket';

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
const CHAT = '/api/v1/chat/completions';
const ENTRIES = ['fast path', 'node:http', 'Next'] as const;

interface Listed {
  timestamp: string;
  requestId: string;
  status: number;
  [name: string]: unknown;
}

/**
 * Starts a gateway with one node and one model. Returns functions with which its customer reads the customer's own
 * requests.
 */
async function customer(model: ModelScript = says('An answer.')) {
  const node = await scriptedNode(({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, '"0x10"')).join(',');
    return batch ? `[${answers}]` : answers;
  });
  const upstream = await scriptedModel(model);
  const gateway = await chatGateway({ chatUpstreams: [{ name: 'hall', url: upstream.url }] }, 1_000_000_000, {
    networks: { 'ethereum-mainnet': { upstreams: [node.url], chainIdentity: false } },
    rpc: { healthChecks: { intervalMs: 0 } },
    limits: { requestsPerMinute: 1_000 },
  });
  const plain = await serve(nodeListener(gateway.gateway));
  const send = async (entry: (typeof ENTRIES)[number], path: string, body: unknown, key = gateway.key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (entry === 'fast path')
      return throughSocket(new URL(gateway.origin), { path, body: text, headers, method: 'POST' });
    const request = { method: 'POST', headers, body: text };
    if (entry === 'node:http') return (await fetch(`${plain.origin}${path}`, request)).status;
    setServedApi(gateway.gateway);
    const handler = nextRoute(path === RPC ? '/api/v1/crypto/rpc/{network}' : path).POST;
    const response = await throughEntry(handler, new Request(`http://gateway.example${path}`, request));
    await response.arrayBuffer();
    return response.status;
  };
  const list = async (query = '', key = gateway.key) => {
    await gateway.gateway.history.write();
    const { status, json, text, headers } = await gateway.get(`/billing/requests?${query}`, { key });
    return { status, json, text, headers, data: json?.['data'] as Listed[] };
  };
  return { ...gateway, send, list };
}

const call = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: [] });
const chatOf = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'secret' }],
  ...more,
});

afterEach(() => setServedApi(undefined as never));

describe.each(ENTRIES)('GET /billing/requests after requests through %s', (entry) => {
  it('lists a paid call, a refused one and a failed one, newest first', async () => {
    const { send, list } = await customer();
    expect(await send(entry, RPC, call('eth_blockNumber'))).toBe(200);
    expect(await send(entry, RPC, call('eth_nothing'))).toBe(400);
    expect(await send(entry, RPC, '{')).toBe(400);
    expect(await send(entry, RPC, [call('eth_chainId'), call('eth_gasPrice')])).toBe(200);
    expect(await send(entry, CHAT, chatOf('plain'))).toBe(200);
    expect(await send(entry, CHAT, chatOf('nothing'))).toBe(404);
    const { data, text } = await list();
    const common = {
      timestamp: expect.any(String),
      network: null,
      method: null,
      model: null,
      code: null,
      cut: false,
      durationMs: expect.any(Number),
      units: 0,
      amount: '0.000000000',
      apiKey: { id: '1', last6: expect.any(String), description: '' },
      requestId: expect.stringMatching(/^[\da-f]{32}$/),
    };
    const ofRpc = { ...common, product: 'rpc', network: 'ethereum-mainnet' };
    expect(data).toEqual([
      { ...common, product: 'chat', status: 404, code: 'MODEL_NOT_FOUND' },
      {
        ...common,
        product: 'chat',
        model: 'plain',
        status: 200,
        units: expect.any(Number),
        amount: expect.any(String),
      },
      { ...ofRpc, method: 'batch of 2', status: 200, units: 40, amount: '0.000028000' },
      { ...ofRpc, status: 400, code: 'INVALID_JSON' },
      { ...ofRpc, method: 'eth_nothing', status: 400, code: 'UNSUPPORTED_METHOD' },
      { ...ofRpc, method: 'eth_blockNumber', status: 200, units: 20, amount: '0.000014000' },
    ]);
    expect(Number(data[1]?.['amount'])).toBeGreaterThan(0);
    expect(text).not.toContain('secret');
    expect(text).not.toContain('127.0.0.1');
  });
});

describe('GET /billing/requests', () => {
  it('keeps a method only where its text can be the name of one', async () => {
    const { send, list } = await customer();
    for (const method of ['my prompt', 'a'.repeat(65), 'eth_a'])
      expect(await send('fast path', RPC, call(method))).toBe(400);
    expect((await list()).data.map(({ method }) => method)).toEqual(['eth_a', null, null]);
  });

  it('filters by outcome, code, product, method, model and time', async () => {
    const { send, list } = await customer();
    await send('fast path', RPC, call('eth_blockNumber'));
    await send('fast path', RPC, call('eth_nothing'));
    await send('fast path', CHAT, chatOf('plain'));
    const statuses = async (query: string) => (await list(query)).data.map(({ status, product }) => [product, status]);
    expect(await statuses('status=failed')).toEqual([['rpc', 400]]);
    expect(await statuses('status=4xx')).toEqual([['rpc', 400]]);
    expect(await statuses('status=400')).toEqual([['rpc', 400]]);
    expect(await statuses('code=UNSUPPORTED_METHOD')).toEqual([['rpc', 400]]);
    expect(await statuses('status=5xx')).toEqual([]);
    expect(await statuses('status=succeeded&product=rpc')).toEqual([['rpc', 200]]);
    expect(await statuses('method=eth_blockNumber&network=ethereum-mainnet')).toEqual([['rpc', 200]]);
    expect(await statuses('model=plain')).toEqual([['chat', 200]]);
    expect(await statuses('endDate=2020-01-01')).toEqual([]);
    const { data } = await list('product=chat');
    expect(await statuses(`requestId=${data[0]?.requestId}`)).toEqual([['chat', 200]]);
  });

  it('refuses parameters that mean nothing, naming each', async () => {
    const { list } = await customer();
    for (const [name, value] of [
      ['status', '700'],
      ['code', 'a b'],
      ['product', 'gold'],
      ['cursor', '1'],
      ['limit', '501'],
      ['startDate', 'yesterday'],
      ['apiKeyId', '-1'],
    ] as const) {
      const { status, json } = await list(`${name}=${value}`);
      expect([name, status, Object.keys(json.details as object)]).toEqual([name, 400, expect.arrayContaining([name])]);
    }
    expect((await list('startDate=2026-02-01&endDate=2026-01-01')).status).toBe(400);
    expect((await list('', 'tpk_unknown')).status).toBe(401);
  });

  it('sums by hour how many were asked and failed, how long they took and what they cost', async () => {
    const { send, list } = await customer();
    await send('fast path', RPC, call('eth_blockNumber'));
    await send('fast path', RPC, call('eth_chainId'));
    await send('fast path', RPC, call('eth_nothing'));
    const { json, data } = await list('groupBy=hour');
    expect(json['groupBy']).toBe('hour');
    const sum = (name: string) => data.reduce((total, hour) => total + Number(hour[name]), 0);
    expect([sum('requests'), sum('failed'), sum('units'), sum('amount')]).toEqual([3, 1, 40, 0.000028]);
    expect(data[0]).toMatchObject({
      group: expect.stringMatching(/:00:00\.000Z$/),
      averageMs: expect.any(Number),
      p50Ms: expect.any(Number),
      p95Ms: expect.any(Number),
    });
    expect((await list('groupBy=hour&method=eth_chainId')).data).toEqual([
      expect.objectContaining({ requests: 1, failed: 0 }),
    ]);
    const csv = await list('groupBy=hour&format=csv');
    expect(csv.text).toMatch(/^hour,requests,failed,average_ms,p50_ms,p95_ms,units,amount_usd\r\n\d{4}-/);
    expect((await list('groupBy=hour&cursor=1-1')).status).toBe(400);
    const byStatus = await list('groupBy=day&splitBy=status');
    expect(byStatus.data.map(({ product, split, requests }) => [product, split, requests])).toEqual([
      ['rpc', '200', 2],
      ['rpc', '400', 1],
    ]);
    const byKey = await list('groupBy=day&splitBy=key');
    expect(byKey.data).toMatchObject([
      { split: expect.any(String), apiKey: { last6: expect.any(String) }, requests: 3 },
    ]);
    const splitCsv = await list('groupBy=day&splitBy=network&format=csv');
    expect(splitCsv.text).toMatch(/^day,product,network,requests,[^\r]+\r\n[^,]+,rpc,ethereum-mainnet,3,1,/);
    expect((await list('status=interrupted')).data).toEqual([]);
    for (const query of ['groupBy=week', 'splitBy=product', 'groupBy=day&splitBy=colour'])
      expect((await list(query)).status, query).toBe(400);
  });

  it('leads through pages by the cursor, as JSON and as CSV', async () => {
    const { send, list } = await customer();
    for (let i = 0; i < 3; i++) await send('fast path', RPC, call('eth_blockNumber'));
    const { json, data } = await list('limit=2');
    const pagination = json['pagination'] as { limit: number; hasMore: boolean; nextCursor: string };
    expect([data.length, pagination]).toEqual([2, { limit: 2, hasMore: true, nextCursor: expect.any(String) }]);
    const rest = await list(`limit=2&cursor=${pagination.nextCursor}`);
    expect([rest.data.length, rest.json['pagination']]).toEqual([1, { limit: 2, hasMore: false, nextCursor: null }]);
    const csv = await list('limit=2&format=csv');
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('x-next-cursor')).toBe(pagination.nextCursor);
    const [header, first] = csv.text.split('\r\n');
    expect(header).toBe(
      'time,product,network,method,model,status,code,cut,duration_ms,units,amount_usd,key,request_id',
    );
    expect(first).toContain(`,rpc,ethereum-mainnet,eth_blockNumber,,200,,no,`);
  });

  it('shows a caller the requests of the own account alone, and no free ones', async () => {
    const { send, list, caller } = await customer();
    const other = await caller(0);
    await send('fast path', RPC, call('eth_blockNumber'));
    expect(await send('fast path', RPC, call('eth_blockNumber'), other)).toBe(402);
    await list();
    expect((await list()).data.map(({ status }) => status)).toEqual([200]);
    expect((await list('', other)).data.map(({ status, code }) => [status, code])).toEqual([
      [402, 'INSUFFICIENT_BALANCE'],
    ]);
  });

  it('says that a stream was cut, and what it cost', async () => {
    const endless: ModelScript = (_asked, response) => {
      response.setHeader('content-type', 'text/event-stream');
      response.write(chunk('One two three'));
    };
    const { chat, list } = await customer(endless);
    const leaving = new AbortController();
    const response = await chat(chatOf('plain', { stream: true }), { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await expect.poll(async () => (await list()).data).toHaveLength(1);
    const { data } = await list('status=failed');
    expect(data).toEqual([expect.objectContaining({ status: 200, cut: true, model: 'plain' })]);
    expect(Number(data[0]?.['amount'])).toBeGreaterThan(0);
  });
});
