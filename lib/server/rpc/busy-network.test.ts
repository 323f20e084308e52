import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { rpcGateway } from '@/test/rpc-gateway';
import { serve } from '@/test/test-gateway';

/** Node that answers only when the test says so. */
async function heldNode() {
  const held: { id: unknown; method: string; response: ServerResponse }[] = [];
  const { origin } = await serve((request, response) => {
    void text(request).then((body) =>
      held.push({ ...(JSON.parse(body) as { id: unknown; method: string }), response }),
    );
  });
  const methods: string[] = [];
  const answerAll = () => {
    for (const { id, method, response } of held.splice(0)) {
      methods.push(method);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }));
    }
  };
  return { origin, held, methods, answerAll };
}

const read = (index: number) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_getBalance',
  params: [`0x${String(index).padStart(40, '0')}`, 'latest'],
});
const send = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: ['0x02'] };
const FEW = { connectionsPerUpstream: 1, hedging: { share: 0 } };

it.each([1, 2])(
  'a call that a busy network cannot serve is refused early with Retry-After, is not asked and costs nothing (%i nodes)',
  async (count) => {
    const nodes = await Promise.all(Array.from({ length: count }, heldNode));
    const { ask, backend, url, headers, charges } = await rpcGateway(
      nodes.map(({ origin }) => origin),
      FEW,
    );
    const waiting = () => backend.pool.nodes.reduce((sum, { upstream }) => sum + upstream.connectionUse.waiting, 0);
    // Each node gets one call, and four more wait for it.
    const calls: ReturnType<typeof ask>[] = [];
    for (let index = 0; index < 5 * count; index++) {
      calls.push(ask(read(index)));
      const expected = () => nodes.reduce((sum, { held }) => sum + held.length, 0) + waiting();
      await vi.waitFor(() => expect(expected()).toBe(index + 1), { timeout: 10_000 });
    }
    expect(waiting()).toBe(4 * count);
    for (const body of [read(98), send, [read(99), read(100)]]) {
      const refused = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await refused.json()).toMatchObject({ code: 'UPSTREAM_BUSY' });
    }
    expect(backend.pool.nodes.some((node) => node.isCutOff)).toBe(false);
    const answering = setInterval(() => nodes.forEach(({ answerAll }) => answerAll()), 5);
    const answers = await Promise.all(calls).finally(() => clearInterval(answering));
    expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
    expect(nodes.flatMap(({ methods }) => methods)).toEqual(calls.map(() => 'eth_getBalance'));
    expect(charges()).toHaveLength(calls.length);
  },
);
