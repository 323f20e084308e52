import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chatGateway } from '@/test/chat-gateway';
import { keptLog } from '@/test/kept-log';
import { says, scriptedModel } from '@/test/scripted-model';
import { resultOf, scriptedNode } from '@/test/scripted-node';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PROPAGATED = new RegExp(`^00-${TRACE}-(?!${SPAN})[\\da-f]{16}-01$`);

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  status: { code?: number };
}

/** Starts an OTLP/HTTP receiver on the loopback interface. @param isSlow true to answer byte by byte without an end */
async function receiver({ isSlow = false } = {}) {
  const spans: OtlpSpan[] = [];
  const requests: { path: string; headers: Record<string, unknown>; text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, text });
      const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
      for (const { scopeSpans } of resourceSpans) for (const { spans: some } of scopeSpans) spans.push(...some);
      response.setHeader('content-type', 'application/json');
      if (isSlow) trickle(response);
      else response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, requests };
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 100);
  response.once('close', () => clearInterval(timer));
}

const attributesOf = ({ attributes }: OtlpSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

async function traced(further: Record<string, unknown>, upstream: Record<string, unknown> = {}) {
  const node = await scriptedNode(({ items: [item] }) => resultOf(item as { id: number }, '"0x10"'));
  const model = await scriptedModel(says('Hello.'));
  const kept = keptLog();
  const networks = { 'ethereum-mainnet': { upstreams: [{ url: node.url, ...upstream }], chainIdentity: false } };
  const settings = { networks, rpc: { healthChecks: { intervalMs: 0 } }, log: { requests: { share: 1 } }, ...further };
  const gateway = await chatGateway(
    { chatUpstreams: [{ name: 'hall', url: model.url, ...upstream }] },
    1_000_000_000,
    settings,
    kept.log,
  );
  const rpc = (headers: Record<string, string>, method = 'eth_blockNumber') =>
    fetch(`${gateway.origin}/api/v1/crypto/rpc/ethereum-mainnet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}`, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    });
  const chat = (headers: Record<string, string>) =>
    gateway.chat({ model: 'plain', messages: [{ role: 'user', content: 'canary' }] }, { headers });
  return { gateway, node, model, kept, rpc, chat };
}

const traceparent = `00-${TRACE}-${SPAN}-01`;

describe('the trace of a caller', () => {
  it('is told to upstreams that may see it, under a span of our own', async () => {
    const { node, model, rpc, chat } = await traced({}, { traceContext: true });
    expect((await rpc({ traceparent })).status).toBe(200);
    expect((await chat({ traceparent })).status).toBe(200);
    expect(node.asked[0]?.request.headers['traceparent']).toMatch(PROPAGATED);
    expect(model.asked[0]?.headers['traceparent']).toMatch(PROPAGATED);
  });

  it('is told to nobody else', async () => {
    const { node, model, rpc, chat } = await traced({});
    await rpc({ traceparent, tracestate: 'vendor=canary' });
    await chat({ traceparent, tracestate: 'vendor=canary' });
    for (const headers of [node.asked[0]?.request.headers, model.asked[0]?.headers]) {
      expect(headers).toBeDefined();
      expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('trace'))).toEqual([]);
    }
  });

  it('is ignored where it is malformed: nothing of it goes on, and the request is served', async () => {
    const { node, kept, rpc } = await traced({}, { traceContext: true });
    for (const malformed of [
      'canary',
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `${traceparent}-more`,
    ])
      expect((await rpc({ traceparent: malformed })).status).toBe(200);
    expect(node.asked.map(({ request }) => request.headers['traceparent'])).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(kept.texts.join('')).not.toMatch(/canary|traceId/);
  });
});

describe('traces by OTLP', () => {
  it('have a span for the request, within the trace of its caller, and one for the question to the upstream', async () => {
    const otlp = await receiver();
    const { gateway, node, kept, rpc } = await traced(
      { otlp: { url: `${otlp.url}/base/`, share: 1, headers: { 'x-otlp-key': 'secret' } } },
      { traceContext: true },
    );
    expect((await rpc({ traceparent })).status).toBe(200);
    await gateway.gateway.close();
    const request = otlp.spans.find(({ kind }) => kind === 2) as OtlpSpan;
    const question = otlp.spans.find(({ kind }) => kind === 3) as OtlpSpan;
    expect(otlp.spans).toHaveLength(2);
    expect(otlp.requests[0]).toMatchObject({
      path: '/base/v1/traces',
      headers: { 'content-type': 'application/json', 'x-otlp-key': 'secret' },
    });
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: SPAN, name: 'POST /api/v1/crypto/rpc/{network}' });
    expect(question).toMatchObject({ traceId: TRACE, parentSpanId: request.spanId, name: 'ask upstream 1' });
    expect(attributesOf(request)).toMatchObject({
      'http.route': '/api/v1/crypto/rpc/{network}',
      'http.response.status_code': 200,
      'turnpike.network': 'ethereum-mainnet',
      'turnpike.cost_nano_usd': 14_000,
    });
    expect(node.asked[0]?.request.headers['traceparent']).toBe(`00-${TRACE}-${question.spanId}-01`);
    expect(kept.lines('request')[0]).toMatchObject({ traceId: TRACE });
  });

  it('begin a trace of their own where the caller has none, which the log names too, and hold no key or prompt', async () => {
    const otlp = await receiver();
    const { gateway, kept, chat } = await traced({ otlp: { url: otlp.url, share: 1 } });
    expect((await chat({})).status).toBe(200);
    expect((await chat({ authorization: 'Bearer canary-key' })).status).toBe(401);
    await gateway.gateway.close();
    const requests = otlp.spans.filter(({ kind }) => kind === 2);
    expect(requests.map((span) => attributesOf(span)['http.response.status_code'])).toEqual([200, 401]);
    expect(requests.map(({ traceId }) => traceId)).toEqual(kept.lines('request').map(({ traceId }) => traceId));
    const text = otlp.requests.map((sent) => sent.text).join('');
    expect(text).not.toContain('canary');
    expect(text).not.toContain(gateway.key);
  });

  it('are those of a share of the requests, whatever a caller says of its sampling', async () => {
    const otlp = await receiver();
    const { gateway, rpc } = await traced({ otlp: { url: otlp.url, share: 0 } });
    for (let i = 0; i < 5; i++) await rpc({ traceparent });
    await gateway.gateway.close();
    expect(otlp.spans).toEqual([]);
  });

  it('hold up no call where the receiver is away, which the log says once', async () => {
    const { gateway, kept, rpc } = await traced({ otlp: { url: 'http://127.0.0.1:1', share: 1 } });
    for (let i = 0; i < 3; i++) expect((await rpc({})).status).toBe(200);
    await gateway.gateway.close();
    expect(kept.lines('sending traces failed')).toHaveLength(1);
  });

  it('hold up the end of a gateway for a bounded time, where the receiver takes them and never ends its answer', async () => {
    const otlp = await receiver({ isSlow: true });
    const { gateway, kept, rpc } = await traced({ otlp: { url: otlp.url, share: 1 } });
    expect((await rpc({})).status).toBe(200);
    await gateway.gateway.close();
    expect(otlp.spans).toHaveLength(2);
    expect(kept.lines('sending traces failed')).toMatchObject([
      { reason: 'the receiver did not accept the remaining traces in time' },
    ]);
  });
});
