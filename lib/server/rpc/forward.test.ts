import { describe, expect, it, onTestFinished } from 'vitest';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import { Secret } from '../config/secret';
import { serve } from '@/test/test-gateway';
import { findNetwork, type Network } from '@/lib/protocol/networks';
import { bytesOf } from '../http/call';
import { Backend } from '../upstreams/nodes/backend';
import { forward } from './forward';
import { ImmutableCache } from '../upstreams/nodes/immutable-answers';
import { Upstream } from '../upstreams/nodes/upstream';
import { isUpstreamFailure } from '../upstreams/nodes/upstream-failure';
import { UpstreamNode } from '../upstreams/nodes/upstream-node';
import { UpstreamPool } from '../upstreams/nodes/upstream-pool';

const network = findNetwork('ethereum-mainnet') as Network;

/** Returns a network with one node, which is asked only once. */
function backendAt(origin: string): Backend {
  const upstream = new Upstream(
    { url: new Secret(origin), headers: {} },
    { connections: 1, connectTimeoutMs: 1_000, answerBytesMax: 20_000_000 },
  );
  onTestFinished(() => upstream.close());
  const node = new UpstreamNode(
    'upstream 1',
    upstream,
    true,
    { failuresInRow: 5, openMs: 1_000, openMsMax: 1_000 },
    () => undefined,
  );
  const pool = new UpstreamPool([node], {
    timeoutMs: 5_000,
    attemptTimeoutMs: 5_000,
    retryShare: 0,
    hedging: { share: 0, minDelayMs: 1, maxDelayMs: 1 },
  });
  return new Backend(network, pool, new ImmutableCache(0));
}

/** Shifts ids from those that the tests write: 1 for a single request, from 0 for the items of a batch. */
const renumber = (text: string, by: number): string =>
  text.replace(/"id":(\d+)/g, (_whole, id: string) => `"id":${Number(id) + by}`);

/** Forwards a body to a node with this answer. Returns the outcome and what the node received. */
async function through(body: string, answer: string) {
  let first = '';
  const { origin } = await serve((request, response) => {
    let sent = '';
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
    request.on('end', () => {
      const shift = Number(/"id":(\d+)/.exec(sent)?.[1]) - (sent.startsWith('[') ? 0 : 1);
      first ||= renumber(sent, -shift);
      response.end(renumber(answer, shift));
    });
  });
  const parsed = parseRpcBody(Buffer.from(body));
  const outcome = await forward(parsed, { sends: false, methods: [] }, backendAt(origin));
  const text = Buffer.from(bytesOf(outcome.body)).toString();
  return { sent: first, text, isError: outcome.isError };
}

const reasonOf = (body: string, answer: string) =>
  through(body, answer).then(
    ({ text }) => `answered ${text}`,
    (error: unknown) => (isUpstreamFailure(error) ? error.reason : String(error)),
  );

const ONE = '{"method":"m","id":7}';
const TWO = '[{"method":"a","id":"x"},{"method":"b"}]';
const BIG = 'x'.repeat(70_000);

describe('a single request', () => {
  it.each(['7', '-7', '"seven"', '"\\u0041é"', '9007199254740993', '340282366920938463463374607431768211455', 'null'])(
    'is answered under its own id, exactly: %s',
    async (id) => {
      const { text } = await through(`{"method":"m","id":${id}}`, '{"id":1,"result":0}');
      expect(text).toBe(`{"jsonrpc":"2.0","id":${id},"result":0}`);
    },
  );

  it('without an id is answered with null', async () => {
    expect((await through('{"method":"m"}', '{"id":1,"result":0}')).text).toBe(
      '{"jsonrpc":"2.0","id":null,"result":0}',
    );
  });

  it('goes to the node with its params as they came, under an id of ours', async () => {
    const { sent } = await through(
      '{"id":"their id","jsonrpc":"2.0","params":[ 1e400, "\\u0041" ],"method":"m","x":1}',
      '{"id":1,"result":0}',
    );
    expect(sent).toBe('{"jsonrpc":"2.0","id":1,"method":"m","params":[ 1e400, "\\u0041" ]}');
  });

  it.each(['12345678901234567890123456789', '{"a" : [1.0, 1e400, -0],\n "b":"\\ud800\\u0000é"}', 'null', `"${BIG}"`])(
    'passes the result on as the bytes it came in, %#',
    async (result) => {
      expect((await through(ONE, ` {"result": ${result} ,"id":1, "extra":1}\n`)).text).toBe(
        `{"jsonrpc":"2.0","id":7,"result":${result}}`,
      );
    },
  );

  it('tells errors from results', async () => {
    expect(await through(ONE, '{"id":1,"error":{"code":-32602,"message":"bad","data":[1.0]}}')).toMatchObject({
      isError: [true],
      text: '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"bad","data":[1.0]}}',
    });
    expect((await through(ONE, '{"id":1,"error":null,"result":0}')).isError).toEqual([false]);
    expect((await through(ONE, `{"id":1,"result":"${BIG}","error":{"code":1,"message":"x"}}`)).isError).toEqual([true]);
  });

  it('takes an error under a null id, or none, and nothing else under one', async () => {
    expect((await through(ONE, '{"id":null,"error":{"code":-32700,"message":"x"}}')).isError).toEqual([true]);
    expect((await through(ONE, '{"error":{"code":-32700,"message":"x"}}')).isError).toEqual([true]);
    for (const answer of [
      '{"id":null,"result":0}',
      '{"result":0}',
      '{"id":2,"result":0}',
      '{"id":"1","result":0}',
      '{"id":7,"result":0}',
      '{"id":2,"error":{"code":1,"message":"x"}}',
    ])
      expect(await reasonOf(ONE, answer)).toBe('mismatch');
  });

  it.each([
    '',
    '<html>',
    'null',
    '[]',
    '[{"id":1,"result":0}]',
    '{"id":1}',
    '{"id":1,"result":0',
    '{"id":1,"result":0}{"id":1,"result":0}',
    '{"id":1,"error":"text"}',
    `{"id":1,"result":"${BIG}"`,
  ])('is not answered by bytes that are no response, %#', async (answer) => {
    expect(await reasonOf(ONE, answer)).toBe('not-json');
  });
});

describe('a batch', () => {
  it('is answered in the order of its items, whatever the order of the answers, under their own ids', async () => {
    const { text, sent, isError } = await through(
      TWO,
      ' [ {"id":1,"result":"b"} ,{"id":0,"error":{"code":1,"message":"a"}}]',
    );
    expect(sent).toBe(
      '[{"jsonrpc":"2.0","id":0,"method":"a","params":[]},{"jsonrpc":"2.0","id":1,"method":"b","params":[]}]',
    );
    expect(text).toBe(
      '[{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"a"}},{"jsonrpc":"2.0","id":null,"result":"b"}]',
    );
    expect(isError).toEqual([true, false]);
  });

  it('keeps two items with one id apart', async () => {
    const { text } = await through(
      '[{"method":"a","id":1},{"method":"b","id":1}]',
      '[{"id":1,"result":"b"},{"id":0,"result":"a"}]',
    );
    expect(text).toBe('[{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":1,"result":"b"}]');
  });

  it('of a hundred large answers is put together exactly', async () => {
    const items = Array.from({ length: 100 }, (_none, id) => id);
    const { text } = await through(
      `[${items.map((id) => `{"method":"m","id":"i${id}"}`).join(',')}]`,
      `[${items.map((id) => `{"id":${99 - id},"result":"${99 - id} é ${BIG}"}`).join(',')}]`,
    );
    expect(
      text === `[${items.map((id) => `{"jsonrpc":"2.0","id":"i${id}","result":"${id} é ${BIG}"}`).join(',')}]`,
    ).toBe(true);
  });

  // The gateway asks for missing items again one by one, and this node repeats its array.
  it.each([
    ['[{"id":0,"result":1}]', 'not-json'],
    ['[]', 'mismatch'],
    ['[{"id":0,"result":1},{"id":0,"result":2}]', 'not-json'],
    ['[{"id":0,"result":1},{"id":2,"result":2}]', 'not-json'],
    ['[{"id":0,"result":1},{"id":"1","result":2}]', 'not-json'],
    ['[{"id":0,"result":1},{"id":null,"error":{"code":1,"message":"x"}}]', 'not-json'],
    ['[{"id":0,"result":1},{"id":1}]', 'not-json'],
    ['[{"id":0,"result":1},{"id":1,"result":1},{"id":2,"result":1}]', 'not-json'],
    ['{"id":null,"error":{"code":1,"message":"batches are off"}}', 'mismatch'],
    ['[{"id":0,"result":1},{"id":1,"result":2}', 'not-json'],
  ])('is not answered by %s', async (answer, reason) => {
    expect(await reasonOf(TWO, answer)).toBe(reason);
  });
});
